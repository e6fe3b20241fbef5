package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Mailbox;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.metadata.MetadataSchema;
import bt.metadata.Schemas;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.sstable.Codecs;
import bt.tablet.Tablet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the tablets here at the schema that the lock service has of their table: it watches the file of every table that
 * has a tablet here, looks when it is told of a change, and when somebody names a later version. Tables that were dropped
 * are refused from then on. Its worker owns it; others send it what to look at.
 */
final class SchemaWatch {
    private static final Logger log = LoggerFactory.getLogger(SchemaWatch.class);
    private static final int MAX_WAITING = 100_000;
    private static final long IDLE_MILLIS = 60_000;
    private static final long RETRY_MILLIS = 1_000;
    private static final long LOOK_MILLIS = 30_000;

    /** As many as are asked for at a time: what is more would be one step for who watches this thread, however long it took. */
    private static final int TABLES_AT_ONCE = 250;

    private final Scheduler scheduler;
    private final LockService locks;
    private final Schemas schemas;
    private final TabletSet tablets;
    private final Mailbox<Look> mailbox;
    private final AtomicLong steps = new AtomicLong();

    /** The worker's. By table. */
    private final Map<Long, LockService.Watch> watches = new HashMap<>();

    /** By id, their names where a tablet of theirs was open here. */
    private volatile Map<Long, Optional<String>> dropped = Map.of();

    SchemaWatch(Scheduler scheduler, LockService locks, TabletSet tablets) {
        this.scheduler = scheduler;
        this.locks = locks;
        this.schemas = new Schemas(locks);
        this.tablets = tablets;
        this.mailbox = scheduler.mailbox(MAX_WAITING);
    }

    private record Look(long tableId, CompletableFuture<Optional<TableSchema>> answer) {}

    /** What is to be looked at, whether a tablet of it is here, and who waits for that. */
    private record Asked(long tableId, boolean isHere, List<Look> waiting) {}

    /** Grows by what the worker does, once in {@value #IDLE_MILLIS} ms at least. Any thread. */
    long steps() {
        return steps.get();
    }

    /** The worker. */
    void run() throws InterruptedException {
        List<Look> taken = new ArrayList<>();
        while (true) {
            steps.incrementAndGet();
            Look first = mailbox.poll(IDLE_MILLIS);
            if (first != null) {
                taken.add(first);
                mailbox.drainTo(taken, MAX_WAITING);
                // Many tablets of one table are loaded at a time: one look is enough for all that wait.
                Map<Long, List<Look>> byTable = new TreeMap<>();
                taken.forEach(look -> byTable.computeIfAbsent(look.tableId(), id -> new ArrayList<>())
                        .add(look));
                List<Asked> asked = new ArrayList<>();
                byTable.forEach((tableId, waiting) -> asked.add(new Asked(tableId, isHere(tableId), waiting)));
                for (int from = 0; from < asked.size(); from += TABLES_AT_ONCE) {
                    look(asked.subList(from, Math.min(asked.size(), from + TABLES_AT_ONCE)));
                }
                taken.clear();
            }
        }
    }

    /**
     * The table as it is now, watched from here on if a tablet of it is here; empty when it is dropped. UNAVAILABLE when the
     * lock service does not answer. Any thread but the worker.
     */
    Optional<TableSchema> current(long tableId) throws BigtableException, InterruptedException {
        return scheduler.await(ask(tableId), LOOK_MILLIS);
    }

    /** A tablet that has just entered the set, opened with what was the table's schema some time ago. The set's worker. */
    void serves(HostedTablet hosted) {
        // What changed before the watch, the load has read. What changed since was looked at and is known here, or the
        // look is under way and will find the tablet in the set.
        schemas.known(hosted.id().tableId()).ifPresent(now -> adopt(hosted.tablet(), now));
    }

    /** A tablet has left the set. Any thread. */
    void left(TabletId id) {
        if (!isHere(id.tableId())) {
            changed(id.tableId());
        }
    }

    /** Completes when the table's tablets here have the schema that it has now, or are refused. Any thread. */
    CompletableFuture<Void> learn(long tableId) {
        // Anybody may ask, for any table: of one that is not here nothing is looked up, while loads wait for their
        // turn.
        return isHere(tableId) ? ask(tableId).thenAccept(now -> {}) : CompletableFuture.completedFuture(null);
    }

    /** REJECTED when the table is known to be dropped. Any thread. */
    void checkNotDropped(long tableId) throws RejectedException {
        Map<Long, Optional<String>> known = dropped;
        if (!known.isEmpty() && known.containsKey(tableId)) {
            String subject = known.getOrDefault(tableId, Optional.empty())
                    .map(name -> "table " + name)
                    .orElse("the table");
            throw new RejectedException(
                    subject + " was dropped, or truncated", "open it again, undelete it, or create it anew");
        }
    }

    private CompletableFuture<Optional<TableSchema>> ask(long tableId) {
        if (tableId == TableSchema.METADATA_ID) {
            return CompletableFuture.completedFuture(Optional.of(MetadataSchema.SCHEMA));
        }
        CompletableFuture<Optional<TableSchema>> answer = new CompletableFuture<>();
        if (!mailbox.offer(new Look(tableId, answer))) {
            answer.completeExceptionally(
                    new OverloadedException(MAX_WAITING + " looks at schemas wait here", RETRY_MILLIS));
        }
        return answer;
    }

    /** At all of these together: one by one a server of many tables would be long at it when its session was interrupted. */
    private void look(List<Asked> all) {
        List<Asked> watched = all.stream().filter(this::watch).toList();
        List<Schemas.Looked> looked;
        try {
            looked = schemas.refreshEach(watched.stream().map(Asked::tableId).toList());
        } catch (BigtableException failed) {
            watched.forEach(asked -> fail(asked, failed));
            return;
        }
        for (int i = 0; i < looked.size(); i++) {
            settle(watched.get(i), looked.get(i));
        }
    }

    /** Before the look: a change in between is told of. False where that failed. */
    private boolean watch(Asked asked) {
        long tableId = asked.tableId();
        if (asked.isHere() && !watches.containsKey(tableId)) {
            try {
                watches.put(tableId, locks.watch(Paths.table(tableId), () -> changed(tableId)));
                steps.incrementAndGet();
            } catch (BigtableException failed) {
                fail(asked, failed);
                return false;
            }
        }
        return true;
    }

    private void settle(Asked asked, Schemas.Looked looked) {
        long tableId = asked.tableId();
        try {
            Optional<TableSchema> now = looked.orThrow();
            refuse(tableId, now.isEmpty() && asked.isHere());
            if (now.isPresent()) {
                adopt(now.get());
            }
            LockService.Watch watch = asked.isHere() ? null : watches.remove(tableId);
            if (watch != null) {
                watch.close();
            }
            steps.incrementAndGet();
            asked.waiting().forEach(look -> look.answer().complete(now));
        } catch (BigtableException failed) {
            fail(asked, failed);
        }
    }

    private void fail(Asked asked, BigtableException failed) {
        steps.incrementAndGet();
        log.warn("schema of table {}: {}; looked at again", asked.tableId(), failed.getMessage());
        scheduler.after(RETRY_MILLIS, () -> changed(asked.tableId()));
        asked.waiting().forEach(look -> look.answer().completeExceptionally(failed));
    }

    private boolean isHere(long tableId) {
        return tablets.of(tableId).findAny().isPresent();
    }

    private void adopt(TableSchema now) {
        tablets.of(now.id())
                .flatMap(holding -> holding.tablet().stream())
                .forEach(hosted -> adopt(hosted.tablet(), now));
    }

    private static void adopt(Tablet tablet, TableSchema now) {
        if (tablet.schema().version() < now.version()) {
            try {
                checkCodecs(now);
                tablet.adopt(now);
                log.info("{} has version {} of its schema", tablet.id(), now.version());
            } catch (RejectedException unknown) {
                // With it no memtable could become files, and they would fill the memory.
                log.error(
                        "{} stays at version {}: {}",
                        tablet.id(),
                        tablet.schema().version(),
                        unknown.getMessage());
            }
        }
    }

    /** REJECTED when a locality group has a codec that this server does not know. */
    static void checkCodecs(TableSchema schema) throws RejectedException {
        for (LocalityGroup group : schema.groups()) {
            if (!Codecs.isKnown(group.codec())) {
                throw new RejectedException(
                        "table " + schema.name() + ": codec \"" + group.codec() + "\" of locality group " + group.name()
                                + " is none of " + String.join(", ", Codecs.names()),
                        "choose one of those");
            }
        }
    }

    private void refuse(long tableId, boolean isDropped) {
        if (isDropped != dropped.containsKey(tableId)) {
            Map<Long, Optional<String>> next = new HashMap<>(dropped);
            if (isDropped) {
                next.put(tableId, tablets.schema(tableId).map(TableSchema::name));
                log.info("table {} is dropped: refused from here on", tableId);
            } else {
                next.remove(tableId);
            }
            dropped = Map.copyOf(next);
        }
    }

    private void changed(long tableId) {
        if (!mailbox.offer(new Look(tableId, new CompletableFuture<>()))) {
            scheduler.after(RETRY_MILLIS, () -> changed(tableId));
        }
    }
}
