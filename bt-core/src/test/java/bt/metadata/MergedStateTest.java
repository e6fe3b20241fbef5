package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.record.BulkMarker;
import bt.record.FileReference;
import bt.record.TabletState;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a tablet holds that has taken the rows of the one before it. */
class MergedStateTest {
    @Test
    void theTwoClipsOfAFileThatASplitMadeAreOneAgain() {
        TabletState merged = merge(file("a", null, "m", 40), file("a", "m", null, 60));
        assertThat(merged.getFiles()).containsExactly(file("a", null, null, 100));
    }

    @Test
    void clipsThatDoNotTouchStayTwo() {
        FileReference lower = file("a", null, "f", 40);
        FileReference upper = file("a", "m", null, 60);
        // The rows between were deleted in a tablet that has rewritten the file since.
        assertThat(merge(lower, upper).getFiles()).containsExactlyInAnyOrder(lower, upper);
    }

    @Test
    void referencesThatDifferInAnythingStayTwo() {
        FileReference lower = file("a", null, "m", 40);
        List<FileReference> others = List.of(
                file("b", "m", null, 60),
                FileReference.newBuilder(file("a", "m", null, 60))
                        .setSequenceOverride(7L)
                        .build(),
                FileReference.newBuilder(file("a", "m", null, 60))
                        .setFamilies(List.of(1, 2))
                        .build());
        for (FileReference upper : others) {
            assertThat(merge(lower, upper).getFiles()).containsExactlyInAnyOrder(lower, upper);
        }
    }

    /** Of a tablet that has been made of thousands, each of which had a few: more than ten thousand million comparisons. */
    @Test
    void thousandsOfFilesTakeAsManySteps() {
        int files = 60_000;
        TabletState lower = many("lower", files);
        TabletState upper = many("upper", files);
        TabletState merged = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> MergedState.of(lower, upper));
        assertThat(merged.getFiles()).hasSize(2 * files - 1).contains(file("both", null, null, 100));
    }

    private static TabletState many(String name, int files) {
        List<FileReference> all = new ArrayList<>();
        for (int i = 1; i < files; i++) {
            all.add(file(name + i, null, "m", 1));
        }
        all.add(name.equals("lower") ? file("both", null, "m", 40) : file("both", "m", null, 60));
        return state().setFiles(all).build();
    }

    @Test
    void whatIsANumberIsTheGreaterOne() {
        TabletState lower = state().setRedoPoint(9)
                .setLastServerTimestamp(10)
                .setOldestReadableSequence(3)
                .build();
        TabletState upper = state().setRedoPoint(5)
                .setLastServerTimestamp(20)
                .setOldestReadableSequence(4)
                .build();
        TabletState merged = MergedState.of(lower, upper);
        assertThat(merged.getRedoPoint()).isEqualTo(9);
        assertThat(merged.getLastServerTimestamp()).isEqualTo(20);
        assertThat(merged.getOldestReadableSequence()).isEqualTo(4);
    }

    @Test
    void itBeginsWhereTheLowerBeganAndEndsAsTheUpperEnded() {
        TabletState lower = TabletStates.keptEndRow(state().setPreviousEndRow(buffer("c"))
                .setBulkLoads(List.of(new BulkMarker("one", 1L, 1L), new BulkMarker("both", 2L, 2L)))
                .build());
        TabletState upper = state().setPreviousEndRow(buffer("m"))
                .setBulkLoads(List.of(new BulkMarker("both", 2L, 2L)))
                .build();
        TabletState merged = MergedState.of(lower, upper);
        assertThat(merged.getPreviousEndRow()).isEqualTo(buffer("c"));
        assertThat(TabletStates.keepsEndRow(merged)).isFalse();
        assertThat(TabletStates.keepsEndRow(MergedState.of(upper, lower))).isTrue();
        assertThat(merged.getBulkLoads()).extracting(BulkMarker::getJob).containsExactlyInAnyOrder("one", "both");
    }

    private static TabletState merge(FileReference lower, FileReference upper) {
        return MergedState.of(
                state().setFiles(List.of(lower)).build(),
                state().setFiles(List.of(upper)).build());
    }

    private static TabletState.Builder state() {
        return TabletState.newBuilder(TabletStates.empty(Optional.empty()));
    }

    private static ByteBuffer buffer(String row) {
        return AvroBytes.buffer(Bytes.utf8(row));
    }

    private static FileReference file(String path, @Nullable String start, @Nullable String end, long bytes) {
        return FileReference.newBuilder()
                .setPath(path)
                .setClipStart(start == null ? null : buffer(start))
                .setClipEnd(end == null ? null : buffer(end))
                .setBytes(bytes)
                .setFamilies(List.of(1))
                .setSmallestSequence(1)
                .setLargestSequence(9)
                .build();
    }
}
