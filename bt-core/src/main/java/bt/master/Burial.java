package bt.master;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the log of a dead server from it: first the directory is renamed, so that it can make no other segment, then every
 * segment is fenced, so that it can append to none. Either alone would leave a way to acknowledge a write that nobody replays.
 *
 * <p>The file store needs seconds for a segment, and for some it is never done. So no thread waits for it: a round begins with
 * all segments what is not begun, looks what is done, and is repeated until all are closed. The segments of METADATA's tablets
 * have rounds and threads of their own, and count by themselves: of METADATA nothing waits for a segment of users. Any thread
 * asks how far it is.
 */
final class Burial {
    private static final Logger log = LoggerFactory.getLogger(Burial.class);

    /** Between two rounds; after some seconds it is no ordinary closing any more, and a round also lists the segments again. */
    private static final long REST_MILLIS = 100;

    private static final long LATE_REST_MILLIS = 1_000;
    private static final long ORDINARY_MILLIS = 10_000;

    /** When somebody should know. */
    private static final long PROBLEM_MILLIS = 20_000;

    private static final String METADATA = "metadata-";

    private final long epoch;
    private final FileStore files;
    private final Scheduler scheduler;
    private final Runnable whenClosed;
    private final long beganNanos;
    private final Part metadata;
    private final Part users;
    private volatile boolean renamed;

    private Burial(long epoch, FileStore files, Scheduler scheduler, Workers workers, Runnable whenClosed) {
        this.epoch = epoch;
        this.files = files;
        this.scheduler = scheduler;
        this.whenClosed = whenClosed;
        this.beganNanos = scheduler.clock().nanos();
        this.metadata = new Part(true, workers.metadataDiggers());
        this.users = new Part(false, workers.diggers());
    }

    /** {@code whenClosed} is run, on any thread, whenever a part of the log is closed. */
    static Burial begin(long epoch, FileStore files, Scheduler scheduler, Workers workers, Runnable whenClosed) {
        Burial burial = new Burial(epoch, files, scheduler, workers, whenClosed);
        burial.metadata.submit();
        return burial;
    }

    /** Whether nothing can be acknowledged any more: to METADATA's tablets, or to those of users. */
    boolean isClosed(boolean ofMetadata) {
        return part(ofMetadata).closed;
    }

    /** Why that is not so, when it should be by now. */
    Optional<String> problem(boolean ofMetadata) {
        Part part = part(ofMetadata);
        return part.closed || !hasLasted(PROBLEM_MILLIS) ? Optional.empty() : part.failure;
    }

    private Part part(boolean ofMetadata) {
        return ofMetadata ? metadata : users;
    }

    private boolean hasLasted(long millis) {
        return scheduler.clock().nanos() - beganNanos >= TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Done again where its answer was lost: then there is nothing to rename any more. */
    private void rename() throws BigtableException {
        String name = Long.toString(epoch);
        if (files.list("log").stream().anyMatch(entry -> entry.name().equals(name))) {
            files.rename("log/" + name, directory());
        }
        renamed = true;
        users.submit();
    }

    private String directory() {
        return "recovered/" + epoch;
    }

    /** The segments of one kind. Its rounds follow each other, so that what is not volatile has one owner. */
    private final class Part {
        private final boolean ofMetadata;
        private final WorkerPool diggers;
        private final Set<String> taken = new HashSet<>();

        /** Those that are not closed; empty until they were listed. */
        private Optional<List<String>> open = Optional.empty();

        private volatile boolean closed;
        private volatile Optional<String> failure = Optional.empty();

        private Part(boolean ofMetadata, WorkerPool diggers) {
            this.ofMetadata = ofMetadata;
            this.diggers = diggers;
        }

        private void submit() {
            try {
                diggers.execute(this::round);
            } catch (RejectedExecutionException ended) {
                // The master rules no more: there are never as many burials as the pool has room for.
                log.debug("{} is left", directory());
            }
        }

        private void round() {
            Optional<String> left;
            try {
                left = close();
            } catch (BigtableException failed) {
                left = Optional.of(failed.getMessage());
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException | Error bug) {
                log.error("{}: tried again", directory(), bug);
                left = Optional.of(bug.toString());
            }
            failure = left;
            if (left.isEmpty()) {
                closed = true;
                log.info("{}: {} segments of {} are closed", directory(), taken.size(), kind());
                whenClosed.run();
            } else {
                scheduler.after(hasLasted(ORDINARY_MILLIS) ? LATE_REST_MILLIS : REST_MILLIS, this::submit);
            }
        }

        private String kind() {
            return ofMetadata ? "METADATA" : "users";
        }

        /** Empty when all are closed, else why one is not. */
        private Optional<String> close() throws BigtableException, InterruptedException {
            if (!renamed) {
                rename();
            }
            if (open.isEmpty() || hasLasted(ORDINARY_MILLIS)) {
                open = Optional.of(list());
            }
            Optional<String> why = Optional.empty();
            List<String> left = new ArrayList<>();
            for (String segment : open.get()) {
                try {
                    // Without time: it begins, or looks.
                    files.fence(segment, 0);
                    taken.add(segment);
                } catch (BigtableException notYet) {
                    left.add(segment);
                    why = why.or(() -> Optional.of(notYet.getMessage()));
                }
            }
            open = Optional.of(left);
            return why;
        }

        /** Beside segments there may be a directory of sorted ones. */
        private List<String> list() throws BigtableException {
            return files.list(directory()).stream()
                    .filter(entry -> !entry.directory())
                    .map(FileInfo::name)
                    .filter(name -> name.startsWith(METADATA) == ofMetadata)
                    .map(name -> directory() + "/" + name)
                    .filter(segment -> !taken.contains(segment))
                    .toList();
        }
    }
}
