package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.testing.ManualClock;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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

    private static MetadataRow tablet(String end, int files) {
        FileReference file = FileReference.newBuilder()
                .setPath("a")
                .setBytes(1)
                .setFamilies(List.of())
                .setSmallestSequence(1)
                .setLargestSequence(1)
                .build();
        TabletState state = TabletState.newBuilder(TabletStates.empty(Optional.empty()))
                .setFiles(Collections.nCopies(files, file))
                .build();
        return new MetadataRow(new TabletId(4, Optional.of(Bytes.utf8(end))), 1, 1, TabletStates.unassigned(), state);
    }
}
