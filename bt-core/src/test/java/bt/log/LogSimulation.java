package bt.log;

import static bt.log.LogFixture.STREAM;

import bt.base.BigtableException;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.testing.Faults;
import bt.testing.FaultyFileStore;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.List;

/** A commit log on a simulated scheduler, on files that a server has and may lose. */
final class LogSimulation {
    final SimScheduler scheduler;
    final MemoryFileStore store;

    /** The server's view. */
    final FileStore files;

    /** What is there when the server is not. */
    final FileStore after;

    /** What goes wrong with the files, from when it is set. */
    Faults faults = (operation, path) -> Faults.NONE;

    LogSimulation(long seed) throws BigtableException {
        scheduler = new SimScheduler(seed);
        store = new MemoryFileStore(scheduler.clock());
        files = new FaultyFileStore(
                store.process("server"), (operation, path) -> faults.next(operation, path), scheduler);
        after = store.process("after");
        after.makeDirectory(STREAM.directory());
    }

    CommitLog open(LogOptions options) throws BigtableException {
        return CommitLog.open(files, STREAM, options, scheduler);
    }

    void run(Body body) {
        scheduler.run(Duration.ofMinutes(30), () -> {
            try {
                body.run();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** What the test does. */
    interface Body {
        void run() throws BigtableException, InterruptedException;
    }

    /** Logs one batch; true if one writer was enough. */
    static boolean log(CommitLog log, boolean sync, LogRecord... records)
            throws BigtableException, InterruptedException {
        log.write(LogBatch.of(List.of(records)), sync);
        return log.settle();
    }

    /** What the master does before a log is read. */
    void fenceAll() throws BigtableException, InterruptedException {
        for (FileInfo segment : after.list(STREAM.directory())) {
            after.fence(STREAM.directory() + "/" + segment.name(), 1_000);
        }
    }

    /** What is read once the server has ended: everything that is fenced. */
    List<LogRecord> recover() throws BigtableException, InterruptedException {
        fenceAll();
        return LogFixture.readAll(after);
    }
}
