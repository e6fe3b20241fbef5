package bt.master;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.SharedAnswer;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable.DamagedRow;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.RecoveryLine;
import bt.record.RecoveryReport;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/**
 * How far the tablets of dead servers are on their way to others: counted from METADATA's rows as passes see them, and told
 * with what the file store has of the logs. It decides nothing. Owned by the master's thread; files are listed by a pool.
 */
final class Recoveries {
    private static final long NOBODY = -1;

    private final FileStore files;
    private final Clock clock;
    private final Graves graves;
    private final Executor listers;
    private final Map<Long, Recovery> recoveries = new TreeMap<>();

    /** Of tablets whose rows are damaged the epoch of who had each when anybody knew; of those of which nobody ever did, nothing. */
    private final Map<TabletId, Long> lastHolders = new HashMap<>();

    /** For all who ask at a time: each listing of logs is some requests to the file store, and there is one lister. */
    private final SharedAnswer<RecoveryReport> asked = new SharedAnswer<>();

    /** As the last who asked found them. */
    private volatile List<RecoveryLine> counted = List.of();

    Recoveries(FileStore files, Clock clock, Graves graves, Executor listers) {
        this.files = files;
        this.clock = clock;
        this.graves = graves;
        this.listers = listers;
    }

    /** A pass begins. */
    void begin() {
        recoveries.values().forEach(recovery -> recovery.seen.clear());
    }

    /** A row, before anything is done for it. */
    void saw(MetadataRow row, Sight sight) {
        for (long epoch : row.state().getLogs()) {
            saw(epoch, row.id());
        }
        boolean isHeld = row.location().getPhase() != Phase.UNASSIGNED;
        long epoch = row.location().getEpoch();
        if (isHeld && sight.holder(row.location()).isEmpty() && !sight.mayReturn(epoch)) {
            saw(epoch, row.location().getServer(), row.id());
        }
    }

    /** A tablet of which METADATA says, or said when its row was read last, that a dead server has it. */
    void saw(long epoch, String server, TabletId tablet) {
        saw(epoch, tablet).server = server;
    }

    private Recovery saw(long epoch, TabletId tablet) {
        Recovery recovery = recoveries.computeIfAbsent(epoch, first -> new Recovery(clock.nanos()));
        recovery.seen.add(tablet);
        recovery.ever.add(tablet);
        return recovery;
    }

    /** The row of a tablet cannot be understood, of which this is known from before: it is of who serves it, or had it then. */
    void damaged(TabletId tablet, Optional<KnownTablet> before, Sight sight) {
        before.ifPresent(known -> lastHolders.put(tablet, known.isHeld() ? known.epoch() : NOBODY));
        sight.heard().forEach((server, told) -> {
            TabletReport report = told.tablets().get(tablet);
            if (report != null && report.getPhase() == Phase.SERVING) {
                lastHolders.put(tablet, server.epoch());
            }
        });
    }

    /**
     * The pass came to all rows but those that are damaged: whoever is in none of them is recovered, unless a damaged one may name
     * it. A pass that came to some only says nothing of the others.
     */
    void end(Collection<DamagedRow> damage) {
        lastHolders
                .keySet()
                .retainAll(damage.stream().flatMap(row -> row.tablet().stream()).collect(Collectors.toSet()));
        recoveries.forEach((epoch, recovery) -> {
            recovery.damaged = (int) damage.stream()
                    .filter(row ->
                            row.tablet().isEmpty() || mayBeOf(row.tablet().get(), epoch, recovery))
                    .count();
            recovery.waiting = recovery.seen.size() + recovery.damaged;
        });
        recoveries.values().removeIf(recovery -> recovery.waiting == 0);
    }

    private boolean mayBeOf(TabletId damaged, long epoch, Recovery recovery) {
        return recovery.ever.contains(damaged) || lastHolders.getOrDefault(damaged, epoch) == epoch;
    }

    /** What keeps recoveries from going on, in words for operators. */
    List<String> problems() {
        return graves.problems();
    }

    /** Epochs of the dead servers whose tablets wait for the log to be closed, or for the lease to end. */
    List<Long> beingClosed() {
        return graves.open();
    }

    /** The dead servers of which some tablet is not served yet. */
    CompletableFuture<RecoveryReport> report() {
        List<RecoveryLine> now = new ArrayList<>();
        recoveries.forEach((epoch, recovery) -> now.add(line(epoch, recovery)));
        counted = now;
        return asked.ask(this::list);
    }

    private CompletableFuture<RecoveryReport> list(Runnable begun) {
        CompletableFuture<RecoveryReport> report = new CompletableFuture<>();
        try {
            listers.execute(() -> {
                begun.run();
                try {
                    List<RecoveryLine> lines = new ArrayList<>();
                    for (RecoveryLine line : counted) {
                        lines.add(RecoveryProgress.of(line, files));
                    }
                    report.complete(new RecoveryReport(lines));
                } catch (BigtableException failed) {
                    report.completeExceptionally(failed);
                }
            });
        } catch (RejectedExecutionException busy) {
            report.completeExceptionally(
                    new UnavailableException("too many ask the master for the progress of recoveries"));
        }
        return report;
    }

    private RecoveryLine line(long epoch, Recovery recovery) {
        int waiting = Math.max(recovery.waiting, recovery.seen.size());
        String hindrance = recovery.damaged == 0
                ? null
                : recovery.damaged
                        + " rows of METADATA that cannot be read may be of its tablets: the cluster's problems"
                        + " name them";
        return RecoveryLine.newBuilder()
                .setServer(recovery.server)
                .setEpoch(epoch)
                .setMillis((clock.nanos() - recovery.sinceNanos) / 1_000_000)
                .setClosed(graves.isBuried(epoch))
                .setSegments(0)
                .setBytes(0)
                .setSortedSegments(0)
                .setSortedBytes(0)
                .setTabletsWaiting(waiting)
                // Damaged rows wait too, and may be more than ever named it.
                .setTabletsServed(Math.max(0, recovery.ever.size() - waiting))
                .setLeftMillis(-1)
                .setHindrance(hindrance)
                .build();
    }

    private static final class Recovery {
        private final long sinceNanos;

        /** All tablets that ever waited for it. */
        private final Set<TabletId> ever = new HashSet<>();

        /** Those that the present pass has seen so far. */
        private final Set<TabletId> seen = new HashSet<>();

        private String server = "";

        /** As many as the last pass that came to all rows saw, and might have seen in those that are damaged. */
        private int waiting;

        /** These. */
        private int damaged;

        private Recovery(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }
}
