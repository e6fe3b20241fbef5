package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.metadata.MetadataRow;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.tablet.Compacted;
import bt.testing.MemoryCluster;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MergerTest {
    private static final int FILES = 10;

    /** That deleted data is gone in time. */
    private static final TableSchema PROMISED = promised();

    private final CommitFixture server;

    private static TableSchema promised() {
        TableSchema draft = TableSchema.draft("promised")
                .family("f", GcRule.KEEP_ALL)
                .purge("f", FamilySchema.MIN_PURGE_MICROS)
                .build();
        return new TableSchema(99, "promised", 1, 2, Durability.SYNC, draft.families(), draft.groups());
    }

    MergerTest() throws BigtableException {
        server = CommitFixture.of(1);
    }

    /** Or the sweep of garbage would leave all that comes later, as long as the server lives. */
    @Test
    void filesThatMetadataRefusesToNameAreSettled() throws Exception {
        try (MemoryCluster cluster = new MemoryCluster()) {
            TableSchema unused = cluster.table(
                    4, TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build(), List.of(), 3);
            MetadataRow row =
                    cluster.metadata.read(new TabletId(4, Optional.empty())).orElseThrow();
            server.run(() -> {
                server.write("r", "value", new WriteId(1, 1, 1));
                server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
                Compacted written = server.host.write(server.hosted);
                assertThat(server.host.settledFiles()).isZero();
                // It is another server's by now.
                MetadataRow before =
                        new MetadataRow(row.id(), row.generation() - 1, row.masterEpoch(), row.location(), row.state());
                HostedTablet lost = server.host.with(server.hosted, cluster.metadata, before);
                assertThatThrownBy(() -> server.host.merger.name(lost, new Unnamed(written, written::in, "a test")))
                        .isInstanceOf(FencedException.class);
                assertThat(server.host.settledFiles()).isPositive();
            });
        }
    }

    @Test
    void oneThatIsInterruptedHasEndedAndTheTabletIsFreeForTheNext() {
        server.run(() -> {
            writeFiles(server.hosted, 1);
            // It would take half an hour.
            Merger slow = server.host.merger(1_000);
            slow.look(server.hosted);
            server.simulation.pause(10_000);
            assertThat(slow.counts().report().getMergesBegun()).isEqualTo(1);
            assertThat(slow.counts().report().getMergesEnded()).isZero();

            server.host.stop();
            server.simulation.pause(1_000);
            assertThat(slow.counts().report().getMergesEnded()).isEqualTo(1);
            assertThat(server.hosted.merging().reserve()).isTrue();
        });
    }

    /** All that a server has to merge, as one that is short of memory has of all its tablets, may take days. */
    @Test
    void whatAPromiseWantsWaitsForNoOthersMerges() {
        tellOfAPromise(promised -> {});
    }

    /** It does what the promise wants, too. */
    @Test
    void norDoesACompactionThatSomebodyHasAskedForWhereAPromiseWantsOne() {
        tellOfAPromise(promised -> {
            AskedCompaction asked = promised.merging().asked();
            assertThat(asked.begin(1, server.scheduler.clock().nanos())).isTrue();
            asked.want(1);
        });
    }

    private void tellOfAPromise(Consumer<HostedTablet> before) {
        server.run(() -> {
            // It would take half an hour for each.
            Merger slow = server.host.merger(1_000);
            for (int i = 1; i <= 4; i++) {
                HostedTablet other = adopt(server.hostAnother(i, Durability.SYNC));
                writeFiles(other, i + 1);
                slow.look(other);
            }
            HostedTablet promised = adopt(server.host.host(
                    new TabletId(PROMISED.id(), Optional.empty()), Optional.empty(), PROMISED, server.hosted.queue()));
            RowMutation deletion = RowMutation.of("r").deleteRow().build();
            writeFile(promised, new Write(deletion, new WriteId(9, 1, 1), Optional.empty()));
            server.simulation.pause(FamilySchema.MIN_PURGE_MICROS / 1_000 / 2);
            assertThat(slow.counts().report().getMergesEnded()).isZero();

            before.accept(promised);
            slow.look(promised);
            server.simulation.pause(1_000);
            assertThat(promised.merging().isRunning()).isTrue();
        });
    }

    private HostedTablet adopt(HostedTablet tablet) throws BigtableException, InterruptedException {
        server.simulation.await(tablet.queue().adopt(tablet, new Outcomes()), 10_000);
        return tablet;
    }

    /** As many as are merged. */
    private void writeFiles(HostedTablet tablet, int client) throws BigtableException, InterruptedException {
        for (int i = 1; i <= FILES; i++) {
            RowMutation put = CommitFixture.put("r" + i, "v".repeat(400_000));
            writeFile(tablet, new Write(put, new WriteId(client, i, 1), Optional.empty()));
        }
    }

    private void writeFile(HostedTablet tablet, Write write) throws BigtableException, InterruptedException {
        assertThat(server.simulation.await(server.begin(tablet, write), 30_000).failure())
                .isEmpty();
        server.simulation.await(tablet.queue().freeze(tablet), 10_000);
        server.host.writeFrozen(tablet);
    }
}
