package bt.tabletserver;

import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Failures;
import bt.protocol.Caller;
import bt.record.RequestTrace;
import bt.sstable.ReadWork;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where one request spends its time, from when it came until its answer is ready. Most requests have {@link #NONE}, which
 * notes nothing and looks at no clock. Whoever works on the request notes what it did before it hands it on.
 */
final class Trace {
    private static final int MAX_ROW_BYTES = 256;
    private static final int MAX_FAILURE_CHARS = 500;

    static final Trace NONE = new Trace(new Came("", 0, Bytes.EMPTY), new Caller("", "", 0), null);

    private final Came came;
    private final Caller caller;
    private final @Nullable Clock clock;
    private final long cameMicros;
    private final long cameNanos;

    private long takenNanos;
    private long appliesNanos;
    private long queueNanos;
    private long logNanos;
    private long memtableNanos;
    private long diskNanos;
    private int memtables;
    private int entriesFound;
    private int blocksFound;
    private int blocksRead;
    private long bytesRead;
    private long rows;
    private long bytes;

    /** What came: a get, a scan or a write, of this table, from this row on. */
    record Came(String kind, long tableId, Bytes row) {}

    private Trace(Came came, Caller caller, @Nullable Clock clock) {
        this.came = came;
        this.caller = caller;
        this.clock = clock;
        this.cameMicros = clock == null ? 0 : clock.micros();
        this.cameNanos = clock == null ? 0 : clock.nanos();
    }

    /** Of a request that has just come. */
    static Trace of(Came came, Caller caller, Clock clock) {
        return new Trace(came, caller, clock);
    }

    boolean isKept() {
        return clock != null;
    }

    /** A thread takes it up, to read or to write. Of a request with several parts the first counts. */
    void taken() {
        if (clock != null && takenNanos == 0) {
            takenNanos = clock.nanos();
            queueNanos = takenNanos - cameNanos;
        }
    }

    /** A read of it is over, on this thread. */
    void read(ReadWork work) {
        if (clock != null) {
            diskNanos += work.waitedNanos();
            memtables += work.memtables();
            entriesFound += work.entriesFound();
            blocksFound += work.blocksFound();
            blocksRead += work.blocksRead();
            bytesRead += work.bytesRead();
        }
    }

    /** The log has it. Of a request with several parts the last counts, here and below. */
    void logged() {
        if (clock != null) {
            logNanos = clock.nanos() - takenNanos;
        }
    }

    /** From here on it enters the memtable, while the log has it. */
    void applies() {
        if (clock != null) {
            appliesNanos = clock.nanos();
        }
    }

    /** It is in the memtable. */
    void applied() {
        if (clock != null) {
            memtableNanos = clock.nanos() - appliesNanos;
        }
    }

    /** It brings, or takes, so many bytes in so many rows. */
    void carries(long moreRows, long moreBytes) {
        if (clock != null) {
            rows += moreRows;
            bytes += moreBytes;
        }
    }

    /** The answer is ready; the failure is null where it is none. */
    RequestTrace end(@Nullable Throwable failure) {
        Clock kept = clock;
        if (kept == null) {
            throw new IllegalStateException("no trace was kept");
        }
        long totalNanos = kept.nanos() - cameNanos;
        return new RequestTrace(
                cameMicros,
                came.kind(),
                caller.user(),
                caller.address(),
                came.tableId(),
                row().toBuffer(),
                rows,
                bytes,
                totalNanos / 1_000,
                queueNanos / 1_000,
                logNanos / 1_000,
                memtableNanos / 1_000,
                diskNanos / 1_000,
                memtables,
                entriesFound,
                blocksFound,
                blocksRead,
                bytesRead,
                failure == null ? null : text(failure));
    }

    /** A copy, for the row may lie in the whole frame that it came in; of a long one the beginning. */
    private Bytes row() {
        byte[] row = came.row().toArray();
        return Bytes.wrap(Arrays.copyOf(row, Math.min(row.length, MAX_ROW_BYTES)));
    }

    private static String text(Throwable failure) {
        String message = String.valueOf(Failures.unwrap(failure).getMessage());
        return message.substring(0, Math.min(message.length(), MAX_FAILURE_CHARS));
    }
}
