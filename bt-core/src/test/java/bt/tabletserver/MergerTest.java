package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.WriteId;
import bt.tablet.Compacted;
import bt.testing.MemoryCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergerTest {
    private static final int FILES = 10;

    private final CommitFixture server;

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
            for (int i = 1; i <= FILES; i++) {
                server.write("r" + i, "v".repeat(400_000), new WriteId(1, i, 1));
                server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
                server.host.writeFrozen(server.hosted);
            }
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
}
