package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable.DamagedRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.RecoveryLine;
import bt.record.RecoveryReport;
import bt.record.TabletLocation;
import bt.record.TabletState;
import bt.testing.Faults;
import bt.testing.FaultyFileStore;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RecoveriesTest {
    private final SimScheduler scheduler = new SimScheduler(1);
    private final Queue<Runnable> listers = new ArrayDeque<>();
    private int lists;

    /** Each listing is some requests to the file system; who asks without end keeps the answer from nobody. */
    @Test
    void manyWhoAskAtATimeShareOneListing() {
        FaultyFileStore files = new FaultyFileStore(
                new MemoryFileStore(scheduler.clock()).process("master"),
                (operation, path) -> {
                    lists += operation == FileOperation.LIST ? 1 : 0;
                    return Faults.NONE;
                },
                scheduler);
        scheduler.run(Duration.ofMinutes(1), () -> {
            try (Workers workers = Workers.start(scheduler)) {
                Graves graves = new Graves(files, scheduler, workers, 6_000, () -> {});
                Recoveries recoveries = new Recoveries(files, scheduler.clock(), graves, listers::add);
                recoveries.saw(needing(7), Sights.of(Map.of()));
                List<CompletableFuture<RecoveryReport>> asked = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    asked.add(recoveries.report());
                }
                recoveries.saw(needing(8), Sights.of(Map.of()));
                asked.add(recoveries.report());
                assertThat(listers.size()).isOne();
                listers.remove().run();
                assertThat(lists)
                        .as("of each of two logs at most three directories")
                        .isLessThanOrEqualTo(6);
                for (CompletableFuture<RecoveryReport> each : asked) {
                    // What the last of them asked about is there: all waited for that.
                    assertThat(each.join().getLines())
                            .extracting(RecoveryLine::getEpoch)
                            .containsExactly(7L, 8L);
                }
                assertThat(recoveries.report()).isNotDone();
                assertThat(listers.size()).isOne();
            }
        });
    }

    /** What its tablet was part of, as far as anybody knows. */
    @Test
    void aDamagedRowKeepsThoseRecoveriesThatItMayBePartOf() {
        TabletId waited = tablet("a");
        TabletId served = tablet("b");
        TabletId reported = tablet("c");
        TabletId other = tablet("z");
        Member living = new Member("living", new Address("host-1", 1), 9, "");
        with(recoveries -> {
            for (long epoch : List.of(6L, 7L, 8L, 9L)) {
                recoveries.saw(epoch, "server-" + epoch, epoch == 6 ? waited : other);
            }
            recoveries.end(List.of());
            assertThat(epochs(recoveries)).containsExactly(6L, 7L, 8L, 9L);

            recoveries.begin();
            Sight silent = Sights.of(Map.of());
            recoveries.damaged(waited, Optional.of(known(waited, 5)), silent);
            recoveries.damaged(served, Optional.of(known(served, 7)), silent);
            recoveries.damaged(
                    reported,
                    Optional.of(known(reported, 8)),
                    Sights.of(Map.of(living, List.of(Sights.report(reported, Phase.SERVING)))));
            recoveries.end(List.of(damaged(waited), damaged(served), damaged(reported)));
            assertThat(epochs(recoveries)).containsExactly(6L, 7L, 9L);
            assertThat(lines(recoveries)).allSatisfy(line -> {
                assertThat(line.getTabletsWaiting()).isEqualTo(1);
                assertThat(line.getHindrance()).startsWith("1 rows of METADATA that cannot be read");
            });

            recoveries.begin();
            recoveries.end(List.of(damaged(served)));
            assertThat(epochs(recoveries)).containsExactly(7L);
            recoveries.begin();
            recoveries.end(List.of());
            assertThat(epochs(recoveries)).isEmpty();
        });
    }

    @Test
    void oneThatNobodyHasEverReadKeepsAll() {
        TabletId unknown = tablet("a");
        with(recoveries -> {
            recoveries.saw(6, "server-6", tablet("b"));
            recoveries.saw(7, "server-7", tablet("c"));
            recoveries.begin();
            recoveries.damaged(unknown, Optional.empty(), Sights.of(Map.of()));
            recoveries.end(List.of(damaged(unknown)));
            assertThat(epochs(recoveries)).containsExactly(6L, 7L);
        });
    }

    private void with(Consumer<Recoveries> story) {
        MemoryFileStore files = new MemoryFileStore(scheduler.clock());
        scheduler.run(Duration.ofMinutes(1), () -> {
            try (Workers workers = Workers.start(scheduler)) {
                Graves graves = new Graves(files.process("master"), scheduler, workers, 6_000, () -> {});
                story.accept(new Recoveries(files.process("master"), scheduler.clock(), graves, Runnable::run));
            }
        });
    }

    private static List<RecoveryLine> lines(Recoveries recoveries) {
        return recoveries.report().join().getLines();
    }

    private static List<Long> epochs(Recoveries recoveries) {
        return lines(recoveries).stream().map(RecoveryLine::getEpoch).toList();
    }

    private static TabletId tablet(String end) {
        return new TabletId(4, Optional.of(Bytes.utf8(end)));
    }

    private static KnownTablet known(TabletId id, long epoch) {
        return new KnownTablet(id, Optional.empty(), Phase.SERVING, epoch, false, false, false, 0, Optional.empty());
    }

    private static DamagedRow damaged(TabletId id) {
        return new DamagedRow(MetadataKeys.of(id), new CorruptionException("a row"));
    }

    private static MetadataRow needing(long epoch) {
        TabletState state = TabletState.newBuilder(TabletStates.empty(Optional.empty()))
                .setLogs(List.of(epoch))
                .build();
        TabletLocation nowhere = new TabletLocation(Phase.UNASSIGNED, "", "", 0L);
        return new MetadataRow(new TabletId(4, Optional.empty()), 1, 0, nowhere, state);
    }
}
