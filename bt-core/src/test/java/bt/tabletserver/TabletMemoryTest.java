package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.TabletStates;
import bt.model.Limits;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.testing.ManualClock;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
        for (int i = 10; i < 21; i++) {
            large.take(tablet("t" + i, 1, families));
        }
        assertThatThrownBy(() -> large.take(tablet("t21", 1, families)))
                .isInstanceOf(OverloadedException.class)
                .hasMessageStartingWith("it takes 86612 bytes of the server's memory: 0 tablets and 11 that are being");
        large.take(tablet("t21", 1));
    }

    /** Who creates any number keeps nobody's from being served when a server dies. */
    @Test
    void whatAnotherServerHasServedIsLoadedUpToHalfAsMuchAgain() throws Exception {
        for (String end : List.of("a", "b", "c", "d")) {
            memory.take(tablet(end, 16));
        }
        assertThatThrownBy(() -> memory.take(tablet("e", 0))).isInstanceOf(OverloadedException.class);
        assertThat(memory.problem()).get().asString().startsWith("it loads no new tablets: ");
        assertThat(memory.isOverfull()).isFalse();
        memory.take(served(tablet("e", 16)));
        memory.take(served(tablet("f", 3)));
        assertThat(memory.isOverfull()).isTrue();
        assertThat(memory.problem()).get().asString().startsWith("it can load no more tablets: ");
        assertThatThrownBy(() -> memory.take(served(tablet("g", 1)))).isInstanceOf(OverloadedException.class);
    }

    private static MetadataRow served(MetadataRow row) {
        TabletState state =
                TabletState.newBuilder(row.state()).setSchemaVersion(1).build();
        return new MetadataRow(row.id(), 1, 1, row.location(), state);
    }

    /** Each begins before another is counted as served. */
    @Test
    void splitsThatAreUnderWayTakeRoomOfEachOtherUntilTheyEnd() throws Exception {
        memory.take(tablet("a", 16));
        memory.take(tablet("b", 16));
        memory.take(tablet("c", 6));
        assertThat(memory.whyNotSplit(tablet("b", 1), 0)).isEmpty();
        CompletableFuture<?> split = new CompletableFuture<>();
        memory.takeHalf(tablet("b", 2), 0, split);
        assertThat(memory.isFull()).isTrue();
        assertThat(memory.whyNotSplit(tablet("c", 0), 0))
                .get()
                .asString()
                .startsWith("its new half takes 3404 bytes of");
        assertThatThrownBy(() -> memory.takeHalf(tablet("c", 0), 0, new CompletableFuture<>()))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("the tablet that ends with row c is not split: its new half takes 3404 bytes");
        assertThat(memory.problem())
                .get()
                .asString()
                .startsWith("it splits no tablets, and takes none while others have room: ");
        split.completeExceptionally(new IllegalStateException());
        assertThat(memory.isFull()).isFalse();
        assertThat(memory.problem()).isEmpty();
    }

    /** The same file is shown by both halves. */
    @Test
    void aTabletOfManyFilesIsNotSplitWhereItsHalfWouldFindNoRoom() throws Exception {
        memory.take(tablet("a", 16));
        memory.take(tablet("b", 16));
        memory.take(tablet("c", 5));
        memory.take(tablet("d", 0));
        assertThat(memory.isFull()).isFalse();
        assertThat(memory.whyNotSplit(tablet("c", 1), 0)).isEmpty();
        assertThat(memory.whyNotSplit(tablet("a", 16), 0)).isPresent();
        assertThat(memory.whyNotSplit(
                        new MetadataRow(
                                MetadataSchema.LAST,
                                1,
                                1,
                                TabletStates.unassigned(),
                                tablet("a", 16).state()),
                        0))
                .as("METADATA's always have room")
                .isEmpty();
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
