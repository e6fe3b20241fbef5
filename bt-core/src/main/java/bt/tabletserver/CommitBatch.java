package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.log.LogRecord;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.log.LogWriter;
import bt.model.CellKey;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.ResolvedMutation;
import bt.tablet.Resolver;
import bt.tablet.Tablet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The writes that share one sync: checked and given sequences as they come, then logged, then applied, then made visible,
 * then answered. Owned by the commit thread.
 */
final class CommitBatch {
    private final LogWriter log;
    private final Clock clock;
    private final Outcomes outcomes;
    private final List<Admitted> admitted = new ArrayList<>();
    private final Set<WriteKey> writes = new HashSet<>();
    private final Set<RowKey> rows = new HashSet<>();
    private long lastSequence;
    private long bytes;

    CommitBatch(LogWriter log, Clock clock, Outcomes outcomes) {
        this.log = log;
        this.clock = clock;
        this.outcomes = outcomes;
    }

    /** No later write gets a sequence at or below this one. */
    void raise(long sequence) {
        lastSequence = Math.max(lastSequence, sequence);
    }

    long bytes() {
        return bytes;
    }

    boolean isEmpty() {
        return admitted.isEmpty();
    }

    boolean holds(WriteId id) {
        return writes.contains(new WriteKey(id.client(), id.number()));
    }

    /** Whether an admitted write, which the tablet does not know yet, changes the row. */
    boolean changes(long tableId, Bytes row) {
        return rows.contains(new RowKey(tableId, row));
    }

    /** Gives the write its sequences and timestamp. REJECTED when it breaks the schema or a bound. */
    void admit(WriteEntry entry, Tablet tablet) throws BigtableException {
        RowMutation mutation = entry.write().mutation();
        long firstSequence = lastSequence + 1;
        if (firstSequence > CellKey.MAX_SEQUENCE - mutation.changes().size()) {
            throw new RejectedException(tablet.id() + ": sequence numbers end at " + CellKey.MAX_SEQUENCE);
        }
        TableSchema schema = tablet.schema();
        ResolvedMutation resolved;
        try {
            resolved = Resolver.resolve(mutation, schema, firstSequence, tablet.nextServerTimestamp(clock.micros()));
        } catch (IllegalArgumentException malformed) {
            // From a client that did not check: it must not end the thread that everybody's writes go through.
            throw new RejectedException(schema.name() + ": " + malformed.getMessage());
        }
        LogRecord logged = logged(entry, schema, resolved);
        admitted.add(new Admitted(entry, tablet, resolved, logged));
        writes.add(new WriteKey(entry.write().id().client(), entry.write().id().number()));
        rows.add(new RowKey(entry.tableId(), mutation.row()));
        lastSequence = resolved.lastSequence();
        bytes += mutation.row().length() + logged.body().length();
    }

    private static LogRecord logged(WriteEntry entry, TableSchema schema, ResolvedMutation resolved)
            throws BigtableException {
        Bytes body = resolved.encodeBody();
        long size = (long) resolved.row().length() + body.length();
        if (size > LogRecord.MAX_BYTES) {
            throw new RejectedException(schema.name() + ": a mutation of " + size + " bytes, at most "
                    + LogRecord.MAX_BYTES + " are taken: split it");
        }
        WriteId id = entry.write().id();
        return new LogRecord(
                Kind.MUTATION,
                entry.tableId(),
                schema.version(),
                new Stamp(resolved.firstSequence(), resolved.timestamp()),
                Origin.HERE,
                new Author(id.client(), id.number(), id.lowestOpen(), resolved.timestamp()),
                resolved.row(),
                body);
    }

    /** Makes the batch durable, visible and answered. When the log fails nobody knows which writes it holds. */
    void commit() throws LogInDoubt {
        if (admitted.isEmpty()) {
            return;
        }
        try {
            log.append(admitted.stream().map(Admitted::logged).toList());
            if (admitted.stream().allMatch(Admitted::mayFlush)) {
                log.flush();
            } else {
                log.sync();
            }
        } catch (BigtableException failed) {
            throw new LogInDoubt(failed);
        }
        // Only now: a reader must never see what a crash could still take back.
        Map<Tablet, Long> newest = new LinkedHashMap<>();
        for (Admitted write : admitted) {
            write.tablet.apply(write.resolved);
            newest.put(write.tablet, write.resolved.lastSequence());
            outcomes.add(write.entry.write().id(), write.resolved.timestamp());
        }
        // Visible before answered: whoever has the answer may read at once.
        newest.forEach(Tablet::publish);
        for (Admitted write : admitted) {
            write.entry.answer().accept(WriteResult.applied(write.resolved.timestamp()));
        }
        clear();
    }

    /** What the log holds of it is unknown, and so is the outcome of every write in it. */
    void fail() {
        for (Admitted write : admitted) {
            write.entry
                    .answer()
                    .accept(WriteResult.failed(new UnavailableException(
                            "the commit log failed while the write was in it", Outcome.UNKNOWN)));
        }
        clear();
    }

    private void clear() {
        admitted.clear();
        writes.clear();
        rows.clear();
        bytes = 0;
    }

    /** The commit log may or may not hold what was appended last: this server must not go on. */
    static final class LogInDoubt extends Exception {
        LogInDoubt(BigtableException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private record WriteKey(long client, long number) {}

    private record RowKey(long tableId, Bytes row) {}

    private record Admitted(WriteEntry entry, Tablet tablet, ResolvedMutation resolved, LogRecord logged) {
        boolean mayFlush() {
            return tablet.schema().durability() == Durability.FLUSH;
        }
    }
}
