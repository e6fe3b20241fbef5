package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
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

    private static MetadataRow needing(long epoch) {
        TabletState state = TabletState.newBuilder(TabletStates.empty(Optional.empty()))
                .setLogs(List.of(epoch))
                .build();
        TabletLocation nowhere = new TabletLocation(Phase.UNASSIGNED, "", "", 0L);
        return new MetadataRow(new TabletId(4, Optional.empty()), 1, 0, nowhere, state);
    }
}
