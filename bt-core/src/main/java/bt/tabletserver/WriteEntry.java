package bt.tabletserver;

import bt.base.BigtableException;
import bt.model.Change;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteResult;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A write on its way through the commit queue. Its condition, if it has one, was evaluated by a reader; the commit thread
 * sees to it that the row has not changed since. The bytes are about what it holds of the heap.
 */
record WriteEntry(
        long tableId,
        Write write,
        Optional<Evaluation> evaluation,
        Caller caller,
        long bytes,
        Trace trace,
        Consumer<WriteResult> answer)
        implements CommitEntry {
    private static final int CHANGE_OVERHEAD_BYTES = 100;

    static WriteEntry of(Caller caller, long tableId, Write write, Consumer<WriteResult> answer) {
        return new WriteEntry(tableId, write, Optional.empty(), caller, bytes(write.mutation()), Trace.NONE, answer);
    }

    WriteEntry traced(Trace kept) {
        return new WriteEntry(tableId, write, evaluation, caller, bytes, kept, answer);
    }

    String user() {
        return caller.user();
    }

    WriteEntry evaluated(boolean holds, long readPoint) {
        Evaluation now = new Evaluation(holds, readPoint);
        return new WriteEntry(tableId, write, Optional.of(now), caller, bytes, trace, answer);
    }

    /** METADATA's own cells do not: only what its events say depends on the clock. */
    boolean needsServerTime() {
        return tableId != TableSchema.METADATA_ID
                && write.mutation().changes().stream()
                        .anyMatch(change ->
                                change instanceof Change.SetCell set && set.timestamp() == Change.SERVER_TIME);
    }

    @Override
    public void refuse(BigtableException why) {
        answer.accept(WriteResult.failed(why));
    }

    private static long bytes(RowMutation mutation) {
        return mutation.bytes()
                + (long) CHANGE_OVERHEAD_BYTES * mutation.changes().size();
    }

    /** Whether the condition held at this read point of its tablet. */
    record Evaluation(boolean holds, long readPoint) {}
}
