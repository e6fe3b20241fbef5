package bt.log;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.fs.FileStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the segments of a stream ahead, and before that recovers the one that its writer was too slow for: so there are
 * never more than two open segments. Tries until it succeeds or is interrupted. Deletes segments too. Any thread.
 */
final class SegmentMaker {
    private static final Logger logger = LoggerFactory.getLogger(SegmentMaker.class);
    private static final long FENCE_MILLIS = 60_000;
    private static final long RETRY_MILLIS = 200;

    private final FileStore files;
    private final LogStream stream;
    private final Scheduler scheduler;
    private final AtomicBoolean deleting = new AtomicBoolean();

    /** Of whoever deletes. */
    private volatile long oldest = 1;

    SegmentMaker(FileStore files, LogStream stream, Scheduler scheduler) {
        this.files = files;
        this.stream = stream;
        this.scheduler = scheduler;
    }

    SegmentWriter make(long number, Optional<LogWriter> slow) throws InterruptedException {
        if (slow.isPresent()) {
            recover(slow.get());
        }
        while (true) {
            try {
                return create(number);
            } catch (BigtableException notNow) {
                logger.warn("{}: not made: {}; tried again", stream.path(number), notNow.getMessage());
                scheduler.pause(RETRY_MILLIS);
            }
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
        try {
            return SegmentWriter.create(files, stream, number);
        } catch (RejectedException exists) {
            // Of an attempt before, whose answer was lost: nobody else writes here, and nothing was logged in it.
            files.delete(stream.path(number));
            throw exists;
        }
    }

    /** Closes the segment to its writer, whose thread may wait for a file system that will never answer. */
    private void recover(LogWriter slow) throws InterruptedException {
        String path = stream.path(slow.number());
        while (true) {
            try {
                long length = files.fence(path, FENCE_MILLIS);
                logger.info("{}: its writer was slow, closed with {} bytes", path, length);
                slow.abandon();
                return;
            } catch (BigtableException notNow) {
                logger.warn("{}: not closed: {}; tried again", path, notNow.getMessage());
                scheduler.pause(RETRY_MILLIS);
            }
        }
    }
}
