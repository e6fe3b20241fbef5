package bt.testing;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.fs.NoRoomException;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A file store on a bad day: what its {@link Faults} choose is late or fails UNAVAILABLE. Any number of threads. */
public final class FaultyFileStore implements FileStore {
    private final FileStore inner;
    private final Faults faults;
    private final Scheduler scheduler;

    /** When the files will be closed that are being taken from their writers. */
    private final Map<String, Long> fences = new ConcurrentHashMap<>();

    public FaultyFileStore(FileStore inner, Faults faults, Scheduler scheduler) {
        this.inner = inner;
        this.faults = faults;
        this.scheduler = scheduler;
    }

    @Override
    public FileWriter create(String path, Placement placement) throws BigtableException {
        return run(FileOperation.CREATE, path, () -> new FaultyWriter(inner.create(path, placement)));
    }

    @Override
    public FileReader open(String path) throws BigtableException {
        return run(FileOperation.OPEN, path, () -> new FaultyReader(inner.open(path)));
    }

    @Override
    public void makeDirectory(String path) throws BigtableException {
        run(FileOperation.MAKE_DIRECTORY, path, () -> {
            inner.makeDirectory(path);
            return path;
        });
    }

    @Override
    public List<FileInfo> list(String directory) throws BigtableException {
        return run(FileOperation.LIST, directory, () -> inner.list(directory));
    }

    @Override
    public void rename(String from, String to) throws BigtableException {
        run(FileOperation.RENAME, from, () -> {
            inner.rename(from, to);
            return to;
        });
    }

    @Override
    public boolean delete(String path) throws BigtableException {
        return run(FileOperation.DELETE, path, () -> inner.delete(path));
    }

    @Override
    public long fence(String path, long timeoutMillis) throws BigtableException, InterruptedException {
        Fault fault = faults.next(FileOperation.FENCE, path);
        fail(FileOperation.FENCE, path, fault.failure());
        awaitFence(path, fault.delayMillis(), timeoutMillis);
        long length = inner.fence(path, timeoutMillis);
        end(FileOperation.FENCE, path, fault);
        return length;
    }

    @Override
    public List<String> hosts(String path) throws BigtableException {
        return run(FileOperation.HOSTS, path, () -> inner.hosts(path));
    }

    private <T> T run(FileOperation operation, String path, Step<T> step) throws BigtableException {
        Fault fault = begin(operation, path);
        T result = step.run();
        end(operation, path, fault);
        return result;
    }

    private Fault begin(FileOperation operation, String path) throws BigtableException {
        Fault fault = faults.next(operation, path);
        if (fault.delayMillis() > 0) {
            delay(operation, path, fault.delayMillis());
        }
        fail(operation, path, fault.failure());
        return fault;
    }

    private static void fail(FileOperation operation, String path, Failure failure) throws BigtableException {
        if (failure == Failure.INSTEAD) {
            throw new UnavailableException(path + ": " + operation + " was made to fail before it began");
        }
        if (failure == Failure.REFUSED) {
            throw NoRoomException.unavailable(path + ": " + operation + " was made to find no room");
        }
    }

    /** As in HDFS it goes on whether somebody waits or not: what is late is so from when it was first asked for. */
    private void awaitFence(String path, long delayMillis, long timeoutMillis) throws UnavailableException {
        long now = scheduler.clock().nanos();
        long due = fences.computeIfAbsent(path, first -> now + TimeUnit.MILLISECONDS.toNanos(delayMillis));
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, due - now));
        if (leftMillis > 0) {
            delay(FileOperation.FENCE, path, Math.min(leftMillis, timeoutMillis));
        }
        if (leftMillis > timeoutMillis) {
            throw new UnavailableException(path + ": still not closed after " + timeoutMillis + " ms");
        }
        fences.remove(path);
    }

    private void delay(FileOperation operation, String path, long millis) throws UnavailableException {
        try {
            scheduler.pause(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(path + ": interrupted while " + operation + " was delayed");
        }
    }

    private void end(FileOperation operation, String path, Fault fault) throws UnavailableException {
        faults.done(operation, path);
        if (fault.failure() == Failure.AFTERWARDS) {
            throw new UnavailableException(path + ": " + operation + " was made to fail after it was done");
        }
    }

    private interface Step<T> {
        T run() throws BigtableException;
    }

    /** A writer that was made to fail never goes on, as in HDFS: its close only gives the file up. */
    private final class FaultyWriter implements FileWriter {
        private final FileWriter inner;
        private boolean failed;

        FaultyWriter(FileWriter inner) {
            this.inner = inner;
        }

        @Override
        public String path() {
            return inner.path();
        }

        @Override
        public long position() {
            return inner.position();
        }

        @Override
        public void append(byte[] bytes, int offset, int length) throws BigtableException {
            write(FileOperation.APPEND, () -> {
                inner.append(bytes, offset, length);
                return length;
            });
        }

        @Override
        public void flush() throws BigtableException {
            write(FileOperation.FLUSH, () -> {
                inner.flush();
                return path();
            });
        }

        @Override
        public void sync() throws BigtableException {
            write(FileOperation.SYNC, () -> {
                inner.sync();
                return path();
            });
        }

        @Override
        public void close() throws BigtableException {
            if (failed) {
                inner.abandon();
                throw new UnavailableException(path() + ": not completed, a write had failed; fence it");
            }
            write(FileOperation.CLOSE, () -> {
                inner.close();
                return path();
            });
        }

        @Override
        public boolean isThin() {
            return inner.isThin();
        }

        @Override
        public void abandon() {
            inner.abandon();
        }

        private <T> void write(FileOperation operation, Step<T> step) throws BigtableException {
            checkState(!failed, "%s of %s, which was made to fail", operation, path());
            failed = true;
            Fault fault = begin(operation, path());
            failed = false;
            // What fails by itself is the wrapped writer's to remember.
            step.run();
            failed = fault.failure() != Failure.NONE;
            end(operation, path(), fault);
        }
    }

    private final class FaultyReader implements FileReader {
        private final FileReader inner;

        FaultyReader(FileReader inner) {
            this.inner = inner;
        }

        @Override
        public String path() {
            return inner.path();
        }

        @Override
        public long length() {
            return inner.length();
        }

        @Override
        public void readFully(long position, byte[] target, int offset, int length) throws BigtableException {
            run(FileOperation.READ, path(), () -> {
                inner.readFully(position, target, offset, length);
                return path();
            });
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
