package bt.log;

import bt.base.BigtableException;
import bt.log.LogWriter.Step;
import bt.log.LogWriter.Written;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A batch on its way to a segment; of some nothing is promised, because nothing is in them, nor in what they are to sync. */
record Flight(LogBatch batch, boolean sync, boolean isPromised, CompletableFuture<Written> written) {
    static Flight to(LogWriter writer, LogBatch batch, boolean sync, boolean isPromised) {
        return new Flight(batch, sync, isPromised, writer.submit(new Append(null, List.of(batch), sync)));
    }

    /** The first to its segment: behind the beginning, and behind what the segment before was left without syncing. */
    static Flight first(LogWriter writer, SegmentBegin begin, LogBatch unsynced, LogBatch batch, boolean sync) {
        boolean isPromised = !batch.isEmpty() || !unsynced.isEmpty();
        return new Flight(batch, sync, isPromised, writer.submit(new Append(begin, List.of(unsynced, batch), sync)));
    }

    /** Why it did not get there, if that is known. */
    Optional<BigtableException> failure() {
        return written.isDone() ? written.join().failure() : Optional.empty();
    }

    /** Whether one datanode alone has it: that is not enough to be acknowledged. */
    boolean isThin() {
        return isPromised
                && written.isDone()
                && failure().isEmpty()
                && written.join().thin();
    }

    /** Whether it is there for certain, as safe as was asked. */
    boolean isIn() {
        return written.isDone() && failure().isEmpty() && !isThin();
    }

    /** Whether it never will be. */
    boolean isLost() {
        return written.isDone() && !isIn();
    }

    private record Append(@Nullable SegmentBegin begin, List<LogBatch> batches, boolean sync) implements Step {
        @Override
        public void run(SegmentWriter segment) throws BigtableException {
            if (begin != null) {
                segment.begin(begin);
            }
            for (LogBatch batch : batches) {
                if (!batch.isEmpty()) {
                    segment.append(batch);
                }
            }
            if (sync) {
                segment.sync();
            } else {
                segment.flush();
            }
        }
    }
}
