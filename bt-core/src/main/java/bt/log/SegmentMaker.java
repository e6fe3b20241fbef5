package bt.log;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.fs.FileStore;
import bt.fs.NoRoomException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the segments of a stream ahead, and beside that recovers those that their writers were too slow for: so there are
 * two open segments as a rule, and five at most. One that a single datanode alone would have is none. Tries until it
 * succeeds or is interrupted. Deletes segments too. Any thread.
 */
final class SegmentMaker {
    private static final Logger logger = LoggerFactory.getLogger(SegmentMaker.class);
    private static final long FENCE_MILLIS = 20_000;
    private static final int MAX_RECOVERIES = 3;
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long MAX_PAUSE_MILLIS = 2_000;

    private final FileStore files;
    private final LogStream stream;
    private final Scheduler scheduler;
    private final AtomicBoolean deleting = new AtomicBoolean();
    private final AtomicInteger recovering = new AtomicInteger();

    /** Of whoever deletes. */
    private volatile long oldest = 1;

    SegmentMaker(FileStore files, LogStream stream, Scheduler scheduler) {
        this.files = files;
        this.stream = stream;
        this.scheduler = scheduler;
    }

    SegmentWriter make(long number, Optional<LogWriter> slow, Consumer<BigtableException> refusals)
            throws InterruptedException {
        if (slow.isPresent()) {
            close(slow.get());
        }
        return retry(() -> create(number), "not made", refusals);
    }

    /** Beside us, for the next segment is needed more; but not any number of open ones. */
    private void close(LogWriter slow) throws InterruptedException {
        if (recovering.incrementAndGet() > MAX_RECOVERIES) {
            recovering.decrementAndGet();
            Long unused = retry(() -> recover(slow), "not closed", why -> {});
        } else {
            scheduler.start("log-recover-" + slow.number(), () -> {
                try {
                    Long unused = retry(() -> recover(slow), "not closed", why -> {});
                } finally {
                    recovering.decrementAndGet();
                }
            });
        }
    }

    /** The oldest first: where segments are missing, they are missing from the beginning. What fails is tried next time. */
    void deleteBelow(long segment) {
        if (segment > oldest && deleting.compareAndSet(false, true)) {
            scheduler.start("log-delete", () -> {
                try {
                    for (long next = oldest; next < segment; next++) {
                        files.delete(stream.path(next));
                        oldest = next + 1;
                    }
                } catch (BigtableException notNow) {
                    logger.warn("{}: not deleted: {}", stream.path(oldest), notNow.getMessage());
                } finally {
                    deleting.set(false);
                }
            });
        }
    }

    private SegmentWriter create(long number) throws BigtableException {
        String path = stream.path(number);
        try {
            SegmentWriter segment = SegmentWriter.create(files, stream, number);
            if (segment.isThin()) {
                segment.abandon();
                throw NoRoomException.unavailable(
                        path + ": one datanode alone would have it; have more live and with room, or set"
                                + " dfs.replication to 1 in the hdfs-site.xml that bt reads");
            }
            return segment;
        } catch (BigtableException failed) {
            // Or the next attempt would find it. Nobody else writes here, and nothing was logged in it.
            files.discard(path, failed);
            throw failed;
        }
    }

    /** Closes the segment to its writer, whose thread may wait for a file system that will never answer. */
    private Long recover(LogWriter slow) throws BigtableException, InterruptedException {
        String path = stream.path(slow.number());
        if (slow.number() < oldest) {
            // Deleted meanwhile: nobody needs what is in it, or ever finds it.
            slow.abandon();
            return 0L;
        }
        long length = files.fence(path, FENCE_MILLIS);
        logger.info("{}: its writer was left, closed with {} bytes", path, length);
        slow.abandon();
        return length;
    }

    /** Until it succeeds; each time a little later, and each failure is said once. */
    private <T> T retry(Attempt<T> attempt, String what, Consumer<BigtableException> refusals)
            throws InterruptedException {
        String said = "";
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, MAX_PAUSE_MILLIS)) {
            try {
                return attempt.run();
            } catch (BigtableException notNow) {
                refusals.accept(notNow);
                if (!notNow.getMessage().equals(said)) {
                    said = notNow.getMessage();
                    logger.warn("{}: {}; tried again", what, said);
                }
                scheduler.pause(pause);
            }
        }
    }

    private interface Attempt<T> {
        T run() throws BigtableException, InterruptedException;
    }
}
