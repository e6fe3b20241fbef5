package bt.tabletserver;

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

    @GuardedBy("this") private long begun = NONE;

    @GuardedBy("this") private long wanted = NONE;

    @GuardedBy("this") private long done = NONE;

    /** Since it failed last, if it has. */
    @GuardedBy("this") private Optional<Rest> rest = Optional.empty();

    /** Whatever is not of this number is wanted by nobody any more. */
    synchronized void retain(OptionalLong named) {
        if (named.isEmpty() || named.getAsLong() != begun) {
            begun = done;
            wanted = done;
            rest = Optional.empty();
        }
    }

    /** True for who is to write what is in memory to files. */
    synchronized boolean begin(long number) {
        if (number <= begun) {
            return false;
        }
        begun = number;
        return true;
    }

    /** Whether somebody wants it still; it may have been taken back since it was begun. */
    synchronized boolean isBegun(long number) {
        return begun == number;
    }

    /** What is in memory could not be written: whoever names it again begins it again. False if nobody wants it any more. */
    synchronized boolean giveUp(long number) {
        boolean isMeant = begun == number;
        if (isMeant) {
            begun = Math.max(wanted, done);
        }
        return isMeant;
    }

    /** What was in memory when it was begun is in files. Nothing happens if nobody wants it any more. */
    synchronized void want(long number) {
        if (begun == number) {
            wanted = number;
        }
    }

    /** Of the compaction of files that is to be done; whoever does it says this number when it is. Empty while it rests. */
    synchronized OptionalLong wanted(long nowNanos) {
        boolean rests = rest.isPresent() && !rest.get().isOver(nowNanos);
        return wanted > done && !rests ? OptionalLong.of(wanted) : OptionalLong.empty();
    }

    /** The compaction of files has failed. Returns for how many nanoseconds it rests. */
    synchronized long fail(long nowNanos) {
        Rest longer = Rest.after(rest, nowNanos);
        rest = Optional.of(longer);
        return longer.nanos();
    }

    synchronized void end(long number) {
        done = Math.max(done, number);
    }

    /** The last one that is done; {@link #NONE} if none is. */
    synchronized long done() {
        return done;
    }
}
