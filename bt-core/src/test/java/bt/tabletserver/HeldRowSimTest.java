package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.Phase;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Who may say in METADATA that a tablet is served. */
class HeldRowSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final Identity SELF = new Identity("a server", Address.parse("somewhere:1"), 1L << 40);

    private final SimCluster cluster = new SimCluster(5, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void ofTwoLoadsThatReadOneRowAtOneServerOneServes() {
        tell(loading -> {
            HeldRow first = new HeldRow(metadata, ports.scheduler(), SELF, loading);
            HeldRow second = new HeldRow(metadata, ports.scheduler(), SELF, loading);
            assertThat(begin(first)).isEmpty();
            assertThatThrownBy(() -> begin(second)).isInstanceOf(RejectedException.class);
            assertThat(metadata.scan(1, 1)).containsExactly(first.row());
        });
    }

    /** Only the row tells whether the change is there: who gave up would not serve what METADATA says that he serves. */
    @Test
    void aChangeInDoubtIsLookedForAsLongAsWhatHasTheRowIsDamaged() {
        tell(loading -> {
            Damaged network = new Damaged(ports.network());
            MetadataTable through = new MetadataTable(network, ports.locks(), ports.scheduler(), ports.random());
            HeldRow held = new HeldRow(through, ports.scheduler(), SELF, loading);
            network.losesAnswers = true;
            network.damagedReads = 5;
            assertThat(begin(held)).isEmpty();
            assertThat(network.damagedReads).isZero();
            assertThat(metadata.scan(1, 1)).containsExactly(held.row());
            assertThat(held.row().location().getPhase()).isEqualTo(Phase.SERVING);
        });
    }

    /** Nothing has happened then, and another server may load the tablet. */
    @Test
    void aChangeThatWasRefusedForDamageIsNotTriedAgain() {
        tell(loading -> {
            Damaged network = new Damaged(ports.network());
            MetadataTable through = new MetadataTable(network, ports.locks(), ports.scheduler(), ports.random());
            HeldRow held = new HeldRow(through, ports.scheduler(), SELF, loading);
            network.refusesWrites = true;
            assertThatThrownBy(() -> begin(held)).isInstanceOf(CorruptionException.class);
            assertThat(metadata.scan(1, 1)).containsExactly(loading);
        });
    }

    /** In one attempt. */
    private static Optional<BigtableException> begin(HeldRow held) throws BigtableException, InterruptedException {
        return held.begin(UnaryOperator.identity(), "serving").attempt(30_000);
    }

    /** Whose METADATA server dies as it answers, and whose next one has a bad disk for a while. */
    private static final class Damaged implements Network {
        private final Network inner;
        private boolean losesAnswers;
        private boolean refusesWrites;
        private int damagedReads;

        Damaged(Network inner) {
            this.inner = inner;
        }

        @Override
        public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
            if (request instanceof Request.Mutate && refusesWrites) {
                return CompletableFuture.failedFuture(new CorruptionException("a bad block", Outcome.NOT_APPLIED));
            }
            if (request instanceof Request.Mutate && losesAnswers) {
                losesAnswers = false;
                return inner.send(to, request, timeoutMillis)
                        .thenCompose(lost -> CompletableFuture.failedFuture(new UnavailableException("no answer")));
            }
            if (request instanceof Request.Scan && !losesAnswers && damagedReads > 0) {
                damagedReads--;
                return CompletableFuture.failedFuture(new CorruptionException("a bad block"));
            }
            return inner.send(to, request, timeoutMillis);
        }
    }

    /** What a test does with a tablet's row that says that it is loaded by us. */
    private interface Story {
        void with(MetadataRow loading) throws BigtableException, InterruptedException;
    }

    private void tell(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(5), () -> {
            try {
                story.with(loading());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** A tablet's row that nobody changes but we: there is no master any more. */
    private MetadataRow loading() throws BigtableException, InterruptedException {
        try (Bigtable client = cluster.client()) {
            client.admin().createTable(DRAFT, List.of());
        }
        cluster.crashActiveMaster();
        MetadataRow row = metadata.scan(1, 1).get(0);
        return metadata.replace(row, SELF.location(Phase.LOADING), row.state(), "loading");
    }
}
