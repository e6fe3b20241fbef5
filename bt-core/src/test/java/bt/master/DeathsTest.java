package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.coord.Lock;
import bt.coord.Paths;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.record.Reached;
import bt.record.TabletReport;
import bt.testing.MemoryCluster;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A server that holds its lock and does not answer, and two that answer us and are asked whether it answers them. */
class DeathsTest {
    private static final Member CONFUSED = new Member("confused", new Address("confused", 1), 1, "");
    private static final Member WITNESS = new Member("witness", new Address("witness", 1), 2, "");
    private static final Member SILENT = new Member("silent", new Address("silent", 1), 3, "");

    private final SimScheduler scheduler = new SimScheduler(1);

    @Test
    void aWitnessThatCannotTellIsNotAskedForEver() throws Exception {
        try (MemoryCluster cluster = new MemoryCluster();
                Workers workers = Workers.start(cluster.scheduler);
                Lock reign =
                        cluster.locks.tryLock(Paths.MASTER_LOCK, Bytes.EMPTY).orElseThrow()) {
            cluster.listen(
                    CONFUSED.address(),
                    (caller, request) -> CompletableFuture.failedFuture(new UnavailableException("no way to it")));
            cluster.listen(
                    WITNESS.address(),
                    (caller, request) -> CompletableFuture.completedFuture(new Answer.Control(new Reached(false))));
            String file = Paths.server(SILENT.id());
            cluster.locks.create(file, Bytes.EMPTY);
            Graves graves = new Graves(
                    new MemoryFileStore(scheduler.clock()).process("master"), scheduler, workers, 6_000, () -> {});
            Deaths deaths = new Deaths(
                    new Membership(cluster.locks, scheduler, 6_000, 0, met -> {}),
                    reign,
                    graves,
                    cluster,
                    scheduler,
                    MasterConfig.DEFAULT,
                    new Detours(new TabletOrders(cluster, 5_000, 1), scheduler));
            scheduler.run(Duration.ofMinutes(5), () -> {
                try {
                    // Once for each of the two, and what a witness has said is heard with the next look.
                    for (int seconds = 0;
                            seconds < 25 && cluster.locks.read(file).isPresent();
                            seconds++) {
                        deaths.asking();
                        boolean unused = deaths.look(sight());
                        scheduler.pause(1_000);
                    }
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
            });
            assertThat(cluster.locks.read(file)).as("the file of the dead").isEmpty();
        }
    }

    private static Sight sight() {
        Map<Member, List<TabletReport>> answers = new LinkedHashMap<>();
        answers.put(CONFUSED, List.of());
        answers.put(WITNESS, List.of());
        Sight sight = Sights.of(answers);
        return new Sight(List.of(CONFUSED, WITNESS, SILENT), List.of(), sight.answered(), Set.of());
    }
}
