package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.RowMutation;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.tablet.ResolvedMutation;
import bt.tablet.Resolver;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CommitBatchTest {
    private static final int MANY = 100_000;
    private static final int ROUNDS = 2_000;

    private final CommitFixture fixture = fixture();

    /** To make sets empty that are as large as they ever were took a hundred times as long as the batch of one write. */
    @Test
    void aSmallBatchBehindALargeOneIsClearedAsFastAsAnyOther() throws Exception {
        CommitBatch stretched = new CommitBatch();
        for (int i = 0; i < MANY; i++) {
            add(stretched, "row " + i, i);
        }
        // Gathers the rows.
        assertThat(stretched.changes(fixture.hosted.id().tableId(), Bytes.utf8("row 7")))
                .isTrue();
        stretched.clear(false);
        CommitBatch fresh = new CommitBatch();

        long behind = Long.MAX_VALUE;
        long ever = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            behind = Math.min(behind, nanosToClear(stretched, i));
            ever = Math.min(ever, nanosToClear(fresh, i));
        }

        assertThat(behind).isLessThan(10 * ever + 10_000);
    }

    @Test
    void whatALargeOneHeldIsNotInTheNextOnes() throws Exception {
        long table = fixture.hosted.id().tableId();
        CommitBatch batch = new CommitBatch();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1_000; i++) {
                add(batch, "row " + i, i);
            }
            assertThat(batch.changes(table, Bytes.utf8("row 7"))).isTrue();
            batch.clear(false);
            for (int i = 0; i < 2; i++) {
                add(batch, "few", MANY);
                assertThat(batch.size()).isEqualTo(1);
                assertThat(batch.holds(new WriteId(1, MANY, 0))).isTrue();
                assertThat(batch.holds(new WriteId(1, 7, 0))).isFalse();
                assertThat(batch.changes(table, Bytes.utf8("few"))).isTrue();
                assertThat(batch.changes(table, Bytes.utf8("row 7"))).isFalse();
                batch.clear(false);
            }
            assertThat(batch.isEmpty()).isTrue();
        }
    }

    private long nanosToClear(CommitBatch batch, int number) throws BigtableException {
        add(batch, "row", number);
        assertThat(batch.changes(fixture.hosted.id().tableId(), Bytes.utf8("row")))
                .isTrue();
        long begun = System.nanoTime();
        batch.clear(false);
        return System.nanoTime() - begun;
    }

    private void add(CommitBatch batch, String row, long number) throws BigtableException {
        RowMutation mutation = CommitFixture.put(row, "value");
        Write write = new Write(mutation, new WriteId(1, number, 0), Optional.empty());
        WriteEntry entry = WriteEntry.of(
                new Caller("test", "", Long.MAX_VALUE), fixture.hosted.id().tableId(), write, result -> {});
        ResolvedMutation resolved =
                Resolver.resolve(mutation, fixture.hosted.tablet().schema(), number + 1, number + 1);
        batch.add(entry, fixture.hosted, resolved);
    }

    private static CommitFixture fixture() {
        try {
            return CommitFixture.of(1);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }
}
