package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.Limits;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.testing.ManualClock;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TabletMemoryTest {
    private final TabletMemory memory = new TabletMemory(new TabletSet(), new ManualClock(0), 100_000, 1);

    /** Nothing could make it smaller, for nobody would serve it. */
    @Test
    void aTabletWithMoreFilesThanThereIsRoomForIsLoadedBesideFewOthers() throws Exception {
        memory.take(tablet("small", 1));
        memory.take(tablet("large", 1_000));
        memory.take(tablet("larger", 2_000));
        memory.take(tablet("largest", 3_000));
        assertThatThrownBy(() -> memory.take(tablet("one more", 3_000)))
                .isInstanceOf(OverloadedException.class)
                .hasMessageStartingWith("it takes 25000 bytes of the server's memory: ");
        memory.take(tablet("small too", 1));
    }

    /** What each keeps of them is known when the file is open. */
    @Test
    void aFileCountsForTheFamiliesThatItMayHave() throws Exception {
        TabletMemory large = new TabletMemory(new TabletSet(), new ManualClock(0), 1_000_000, 1);
        List<Integer> families =
                IntStream.rangeClosed(1, Limits.FAMILIES).boxed().toList();
        for (int i = 10; i < 34; i++) {
            large.take(tablet("t" + i, 1, families));
        }
        assertThatThrownBy(() -> large.take(tablet("t34", 1, families)))
                .isInstanceOf(OverloadedException.class)
                .hasMessageStartingWith("it takes 40412 bytes of the server's memory: 0 tablets and 24 that are being");
        large.take(tablet("t34", 1));
    }

    private static MetadataRow tablet(String end, int files) {
        return tablet(end, files, List.of());
    }

    private static MetadataRow tablet(String end, int files, List<Integer> families) {
        FileReference file = FileReference.newBuilder()
                .setPath("a")
                .setBytes(1)
                .setFamilies(families)
                .setSmallestSequence(1)
                .setLargestSequence(1)
                .build();
        TabletState state = TabletState.newBuilder(TabletStates.empty(Optional.empty()))
                .setFiles(Collections.nCopies(files, file))
                .build();
        return new MetadataRow(new TabletId(4, Optional.of(Bytes.utf8(end))), 1, 1, TabletStates.unassigned(), state);
    }
}
