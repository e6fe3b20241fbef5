package bt.tabletserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.OptionalLong;

/**
 * How far the major compaction of one tablet is that somebody has asked for. A number, which rises, says which: first what is
 * in memory is written to files, then it is wanted, then it is done. Any thread.
 */
final class AskedCompaction {
    static final long NONE = -1;

    @GuardedBy("this") private long begun = NONE;

    @GuardedBy("this") private long wanted = NONE;

    @GuardedBy("this") private long done = NONE;

    /** True for who is to write what is in memory to files. */
    synchronized boolean begin(long number) {
        if (number <= begun) {
            return false;
        }
        begun = number;
        return true;
    }

    /** What is in memory could not be written: whoever names it again begins it again. */
    synchronized void giveUp(long number) {
        if (begun == number) {
            begun = Math.max(wanted, done);
        }
    }

    /** What was in memory when it was begun is in files. */
    synchronized void want(long number) {
        wanted = Math.max(wanted, number);
    }

    /** Of the compaction of files that is to be done; whoever does it says this number when it is. */
    synchronized OptionalLong wanted() {
        return wanted > done ? OptionalLong.of(wanted) : OptionalLong.empty();
    }

    synchronized void end(long number) {
        done = Math.max(done, number);
    }

    /** The last one that is done; {@link #NONE} if none is. */
    synchronized long done() {
        return done;
    }
}
