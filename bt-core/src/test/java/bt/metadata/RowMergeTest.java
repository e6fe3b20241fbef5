package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.TabletId;
import bt.record.TabletState;
import bt.testing.MemoryCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A merge of (a, c] into (c, g] that was left after its first or its second mutation, and what became of the upper tablet since. */
class RowMergeTest {
    private static final TabletId LOWER = id("c");
    private static final TabletId UPPER = id("g");

    private MemoryCluster cluster;
    private MetadataTable metadata;
    private RowMerge merge;
    private MetadataRow lower;
    private MetadataRow upper;

    @BeforeEach
    void mark() throws Exception {
        cluster = new MemoryCluster();
        metadata = cluster.metadata;
        merge = new RowMerge(metadata);
        MetadataRow before = metadata.create(LOWER, TabletStates.empty(row("a")), "created");
        upper = metadata.create(UPPER, TabletStates.empty(row("c")), "created");
        MergeIntent intent = new MergeIntent(UPPER, upper.generation() + 1);
        lower = metadata.replace(before, before.location(), intent.addedTo(before.state()), "to be merged");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void whatWasNotMergedIsItselfAgain() throws Exception {
        settle();
        expectNotMerged();
    }

    @Test
    void whatWasNotMergedIsItselfAgainThoughTheUpperTabletHasSplit() throws Exception {
        split("e");
        settle();
        expectNotMerged();
    }

    @Test
    void whatWasNotMergedIsItselfAgainThoughTheLowerHalfOfTheUpperTabletHasNoRowYet() throws Exception {
        MetadataRow half = half("e");
        SplitIntent intent = new SplitIntent(half);
        TabletState rest = TabletState.newBuilder(upper.state())
                .setPreviousEndRow(AvroBytes.buffer(row("e")))
                .setIntents(List.of(intent.encode()))
                .build();
        upper = metadata.replace(upper, upper.location(), rest, "split");
        settle();
        expectNotMerged();
    }

    @Test
    void whatWasMergedIsGone() throws Exception {
        take();
        settle();
        assertThat(lower().gone()).isTrue();
    }

    @Test
    void whatWasMergedIsGoneThoughTheUpperTabletHasSplitBelowWhereItBegan() throws Exception {
        take();
        split("b");
        settle();
        assertThat(lower().gone()).isTrue();
    }

    @Test
    void whatWasMergedIsGoneThoughTheUpperTabletHasSplitAboveWhereItBegan() throws Exception {
        take();
        split("e");
        settle();
        assertThat(lower().gone()).isTrue();
    }

    @Test
    void whileNobodyCanTellNothingIsDecided() throws Exception {
        // The upper half of a split whose lower half is nowhere to be seen.
        begin(upper, "e");
        assertThatThrownBy(this::settle).isInstanceOf(RejectedException.class);
        assertThat(lower()).isEqualTo(lower);
    }

    private void settle() throws Exception {
        merge.settle(lower, MergeIntent.of(lower).orElseThrow());
    }

    private void expectNotMerged() throws Exception {
        assertThat(lower().gone()).isFalse();
        assertThat(MergeIntent.of(lower())).isEmpty();
        // A second mutation that is late finds the row changed.
        assertThatThrownBy(this::take).isInstanceOf(RejectedException.class);
    }

    /** The second mutation. */
    private void take() throws Exception {
        upper = metadata.replace(
                upper, upper.location(), MergedState.of(lower.state(), upper.state()), "took the rows of " + LOWER);
    }

    private void split(String at) throws Exception {
        MetadataRow half = half(at);
        metadata.create(half.id(), half.state(), "split off");
        begin(upper, at);
    }

    private MetadataRow half(String end) {
        return new MetadataRow(id(end), 0, 0, TabletStates.unassigned(), TabletStates.empty(upper.previousEndRow()));
    }

    private void begin(MetadataRow row, String previous) throws Exception {
        TabletState state = TabletState.newBuilder(row.state())
                .setPreviousEndRow(AvroBytes.buffer(row(previous)))
                .build();
        MetadataRow unused = metadata.replace(row, row.location(), state, "begins later");
    }

    private MetadataRow lower() throws Exception {
        return metadata.read(LOWER).orElseThrow();
    }

    private static TabletId id(String end) {
        return new TabletId(1, row(end));
    }

    private static Optional<Bytes> row(String row) {
        return Optional.of(Bytes.utf8(row));
    }
}
