package bt.fs.local;

import bt.base.BigtableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes changes of names and leases atomic among all threads and processes that use one root: a lock of this process
 * about a lock of the operating system, which the death of its holder frees. Appends and syncs never take it.
 */
final class StoreLock {
    /** The operating system's lock tells processes apart, not the threads of one. */
    private static final ConcurrentMap<Path, ReentrantLock> BY_FILE = new ConcurrentHashMap<>();

    private final Path file;
    private final ReentrantLock threads;

    StoreLock(Path file) {
        this.file = file;
        this.threads = BY_FILE.computeIfAbsent(file, f -> new ReentrantLock());
    }

    <T> T run(String path, Step<T> step) throws BigtableException {
        threads.lock();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            return step.run();
        } catch (IOException e) {
            throw LocalErrors.of(path, e);
        } finally {
            threads.unlock();
        }
    }

    /** What is done under the lock. */
    @FunctionalInterface
    interface Step<T> {
        T run() throws IOException;
    }
}
