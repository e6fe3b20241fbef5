package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.RejectedException;
import bt.base.Together;
import bt.base.UnavailableException;
import bt.log.LogBatch;
import bt.log.LogRecord;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.OpenWrite;
import bt.tablet.ResolvedMutation;
import bt.tablet.Tablet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The writes that share one sync, from when they are admitted until they are answered. Owned by the commit thread. */
final class CommitBatch {
    /** A buffer that one large write has stretched further is not kept for the small ones after it. */
    private static final int MAX_KEPT_BYTES = 1 << 20;

    /** Sets that more have stretched are not kept for an eighth of them: they are gone through whole to be made empty. */
    private static final int FEW_WRITES = 256;

    private List<Admitted> admitted = new ArrayList<>();
    private Set<WriteKey> writes = new HashSet<>();

    /** Those that the first {@link #listed} of the admitted change: what no dependent write asks for is not gathered. */
    private Set<RowKey> rows = new HashSet<>();

    /** Of the largest batch since these were made. */
    private int mostWrites;

    private int listed;
    private LogBatch logged = new LogBatch();

    /** Of the record that is added just now. */
    private Output body = new Output();

    private boolean sync;

    boolean isEmpty() {
        return admitted.isEmpty();
    }

    int size() {
        return admitted.size();
    }

    LogBatch logged() {
        return logged;
    }

    /** One write that must survive a power cut is enough: they all go to the log together. */
    boolean mustSync() {
        return sync;
    }

    boolean holds(WriteId id) {
        return writes.contains(new WriteKey(id.client(), id.number()));
    }

    boolean changes(long tableId, Bytes row) {
        for (; listed < admitted.size(); listed++) {
            Admitted write = admitted.get(listed);
            if (!write.entry.changesNothing()) {
                rows.add(new RowKey(write.entry.tableId(), write.resolved.row()));
            }
        }
        return rows.contains(new RowKey(tableId, row));
    }

    /** REJECTED when no log record can hold the mutation. */
    void add(WriteEntry entry, HostedTablet hosted, ResolvedMutation resolved) throws BigtableException {
        TableSchema schema = hosted.tablet().schema();
        long answer = entry.answer(resolved);
        logged.add(logged(entry, schema, resolved, answer));
        admitted.add(new Admitted(entry, hosted, resolved, answer));
        writes.add(new WriteKey(entry.write().id().client(), entry.write().id().number()));
        sync |= schema.durability() == Durability.SYNC || entry.tableId() == TableSchema.METADATA_ID;
    }

    /** Its body is written over by the next one: the log copies it before. */
    private LogRecord logged(WriteEntry entry, TableSchema schema, ResolvedMutation resolved, long answer)
            throws BigtableException {
        if (body.array().length > MAX_KEPT_BYTES) {
            body = new Output();
        }
        body.clear();
        resolved.encodeBody(body);
        long size = (long) resolved.row().length() + body.size();
        if (size > LogRecord.MAX_BYTES) {
            throw new RejectedException(
                    "table " + schema.name() + ": a mutation of " + size + " bytes, at most " + LogRecord.MAX_BYTES
                            + " are taken",
                    "split it");
        }
        WriteId id = entry.write().id();
        return new LogRecord(
                Kind.MUTATION,
                entry.tableId(),
                schema.version(),
                new Stamp(resolved.firstSequence(), resolved.timestamp()),
                Origin.HERE,
                new Author(id.client(), id.number(), id.lowestOpen(), answer),
                resolved.row(),
                Bytes.wrap(body.array(), 0, body.size()));
    }

    /**
     * Into the memtables with it, where nobody sees it yet. That takes longer than all else that is done with a write, so it
     * is done while the log has the batch. If the log fails this server ends, and its memtables with it.
     */
    void apply() {
        for (Admitted write : admitted) {
            write.entry.trace().applies();
            write.hosted.tablet().apply(write.resolved);
            write.entry.trace().applied();
        }
    }

    /** It is in this segment of the log, and applied: visible now, then answered. */
    void finish(long segment, LogNeeds needs, Outcomes outcomes, long nowMicros) {
        Map<Tablet, Long> newest = new LinkedHashMap<>();
        for (Admitted write : admitted) {
            write.entry.trace().logged();
            if (newest.put(write.hosted.tablet(), write.resolved.lastSequence()) == null) {
                needs.wrote(write.hosted, segment);
            }
            outcomes.add(write.entry.caller(), write.entry.tableId(), open(write, nowMicros));
        }
        // Visible before answered: whoever has the answer may read at once.
        newest.forEach(Tablet::publish);
        // Together: an event loop that is woken by the first answer would send it alone.
        Together.gather(() -> {
            for (Admitted write : admitted) {
                write.entry.answer().accept(WriteResult.applied(write.answer));
            }
        });
        admitted.clear();
    }

    private static OpenWrite open(Admitted write, long nowMicros) {
        WriteId id = write.entry.write().id();
        ResolvedMutation resolved = write.resolved;
        // A copy: the row may lie in the whole frame that it came in.
        Bytes row = Bytes.wrap(resolved.row().toArray());
        OpenWrite.Author author = new OpenWrite.Author(id.client(), id.number(), id.lowestOpen());
        return new OpenWrite(row, resolved.firstSequence(), author, write.answer, nowMicros);
    }

    /** What the log holds of it is unknown, and so is the outcome of every write in it. */
    void fail() {
        for (Admitted write : admitted) {
            write.entry
                    .answer()
                    .accept(WriteResult.failed(new UnavailableException(
                            "the commit log failed while the write was in it", Outcome.UNKNOWN)));
        }
        admitted.clear();
    }

    /** Makes it empty. What was encoded is given up where a slow log writer may still look at it. */
    void clear(boolean logReadsIt) {
        mostWrites = Math.max(mostWrites, writes.size());
        if (mostWrites > FEW_WRITES && writes.size() < mostWrites / 8) {
            admitted = new ArrayList<>();
            writes = new HashSet<>();
            rows = new HashSet<>();
            mostWrites = 0;
        } else {
            admitted.clear();
            writes.clear();
            rows.clear();
        }
        listed = 0;
        sync = false;
        if (logReadsIt) {
            logged = new LogBatch();
        } else {
            logged.clear();
        }
    }

    private record WriteKey(long client, long number) {}

    private record RowKey(long tableId, Bytes row) {}

    private record Admitted(WriteEntry entry, HostedTablet hosted, ResolvedMutation resolved, long answer) {}
}
