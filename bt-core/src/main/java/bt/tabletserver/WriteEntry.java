package bt.tabletserver;

import bt.base.BigtableException;
import bt.model.Change;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteResult;
import bt.tablet.ResolvedMutation;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A write on its way through the commit queue. Where it depends on its row it was evaluated by a reader; the commit thread
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
        return new WriteEntry(tableId, write, Optional.empty(), caller, bytes(write), Trace.NONE, answer);
    }

    WriteEntry traced(Trace kept) {
        return new WriteEntry(tableId, write, evaluation, caller, bytes, kept, answer);
    }

    String user() {
        return caller.user();
    }

    WriteEntry evaluated(Evaluation now) {
        long held = bytes(write);
        if (now.decision() instanceof Evaluation.Apply apply) {
            held = Math.max(held, bytes(apply.mutation()));
        }
        return new WriteEntry(tableId, write, Optional.of(now), caller, held, trace, answer);
    }

    /** As it came: what a reader has made of it may be a million times as large as what was asked for. */
    WriteEntry unevaluated() {
        return new WriteEntry(tableId, write, Optional.empty(), caller, bytes(write), trace, answer);
    }

    /** What is to be written: what a reader made of it, where it depends on its row. */
    RowMutation mutation() {
        return applied().map(Evaluation.Apply::mutation).orElseGet(write::mutation);
    }

    /** What its client asked to be written: of two mutations the one that was chosen. */
    RowMutation asked() {
        return applied().map(Evaluation.Apply::asked).orElseGet(write::mutation);
    }

    /** Whether it was evaluated, and is answered and remembered alone. */
    boolean changesNothing() {
        return left().isPresent();
    }

    /** What its client is told once this is logged. */
    long answer(ResolvedMutation resolved) {
        if (left().isPresent()) {
            return left().get().answer();
        }
        return applied()
                .map(Evaluation.Apply::answer)
                .orElse(OptionalLong.empty())
                .orElseGet(resolved::answer);
    }

    private Optional<Evaluation.Leave> left() {
        return decision(Evaluation.Leave.class);
    }

    private Optional<Evaluation.Apply> applied() {
        return decision(Evaluation.Apply.class);
    }

    private <T extends Evaluation.Decision> Optional<T> decision(Class<T> kind) {
        return evaluation.map(Evaluation::decision).filter(kind::isInstance).map(kind::cast);
    }

    /** METADATA's own cells do not: only what its events say depends on the clock. */
    boolean needsServerTime() {
        return tableId != TableSchema.METADATA_ID
                && !changesNothing()
                && mutation().changes().stream()
                        .anyMatch(change ->
                                change instanceof Change.SetCell set && set.timestamp() == Change.SERVER_TIME);
    }

    @Override
    public void refuse(BigtableException why) {
        answer.accept(WriteResult.failed(why));
    }

    private static long bytes(Write write) {
        return bytes(write.mutation())
                + write.otherwise().map(WriteEntry::bytes).orElse(0L);
    }

    /** Resolved, each of its changes has the row. */
    private static long bytes(RowMutation mutation) {
        long each = (long) CHANGE_OVERHEAD_BYTES + mutation.row().length();
        return mutation.bytes() + each * mutation.changes().size();
    }
}
