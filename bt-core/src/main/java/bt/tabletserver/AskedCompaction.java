package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Failures;
import bt.tablet.Rest;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far the major compaction of one tablet is that somebody has asked for, or the flush. A number, which rises, says which:
 * first what is in memory is written to files, with which a flush is done; then it is wanted, then it is done. One that fails rests for a while, a longer one each
 * time, apart from the tablet's other compactions: what hinders it need not hinder those. Any thread.
 */
final class AskedCompaction {
    static final long NONE = -1;

    /** A long row is text of many times its bytes, and each status tells it. */
    private static final int MAX_FAILURE_CHARS = 1_000;

    @GuardedBy("this") private long begun = NONE;

    @GuardedBy("this") private long wanted = NONE;

    @GuardedBy("this") private long done = NONE;

    /** What is in memory waits to be written, or is being written. */
    @GuardedBy("this") private boolean flushing;

    /** Since it failed last, if it has. */
    @GuardedBy("this") private Optional<Rest> rest = Optional.empty();

    /** Why it failed last. */
    @GuardedBy("this") private Optional<String> failure = Optional.empty();

    /** Whatever is not of this number is wanted by nobody any more. */
    synchronized void retain(OptionalLong named) {
        if (named.isEmpty() || named.getAsLong() != begun) {
            begun = done;
            wanted = done;
            flushing = false;
            forgetFailure();
        }
    }

    /** True for who is to write what is in memory to files: when it is new, and again when it has failed and rested. */
    synchronized boolean begin(long number, long nowNanos) {
        boolean isUnflushed = number == begun && number > Math.max(wanted, done) && !flushing;
        boolean begins = number > begun || (isUnflushed && !rests(nowNanos));
        if (begins) {
            begun = number;
            flushing = true;
        }
        return begins;
    }

    /** Whether somebody wants it still; it may have been taken back since it was begun. */
    synchronized boolean isBegun(long number) {
        return begun == number;
    }

    /** What was in memory when it was begun is in files. Nothing happens if nobody wants it any more. */
    synchronized void want(long number) {
        if (begun == number) {
            wanted = number;
            flushing = false;
            forgetFailure();
        }
    }

    /** Of the compaction of files that is to be done; whoever does it says this number when it is. Empty while it rests. */
    synchronized OptionalLong wanted(long nowNanos) {
        return wanted > done && !rests(nowNanos) ? OptionalLong.of(wanted) : OptionalLong.empty();
    }

    /**
     * Its flush or its compaction of files has failed. Returns for how many nanoseconds it rests, which is none when nobody
     * wants it any more.
     */
    synchronized long fail(long number, Throwable why, long nowNanos) {
        if (begun != number || number <= done) {
            return 0;
        }
        flushing = false;
        Rest longer = Rest.after(rest, nowNanos);
        rest = Optional.of(longer);
        failure = Optional.of(told(Failures.unwrap(why)));
        return longer.nanos();
    }

    private static String told(Throwable why) {
        String message = why instanceof BigtableException expected ? expected.getMessage() : why.toString();
        return message.substring(0, Math.min(message.length(), MAX_FAILURE_CHARS));
    }

    synchronized void end(long number) {
        done = Math.max(done, number);
        if (begun <= done) {
            flushing = false;
            forgetFailure();
        }
    }

    /** The last one that is done; {@link #NONE} if none is. */
    synchronized long done() {
        return done;
    }

    /** Why the one that is not done yet could not be when it was tried last. */
    synchronized Optional<String> failure() {
        return failure;
    }

    @GuardedBy("this") private boolean rests(long nowNanos) {
        return rest.isPresent() && !rest.get().isOver(nowNanos);
    }

    @GuardedBy("this") private void forgetFailure() {
        rest = Optional.empty();
        failure = Optional.empty();
    }
}
