package bt.testing;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.fs.FileStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * HDFS in memory, for several simulated processes. What a process has not flushed may be lost with it, what it has not
 * synced may be lost with the power; how much of either is there all the same, the random generator says. A lease stays
 * with a dead writer until somebody fences the file; renaming a directory fences nobody. Any number of threads.
 */
public final class MemoryFileStore {
    final Clock clock;
    final Hook hook;
    final ReentrantLock lock = new ReentrantLock();

    /** By path. Guarded by {@link #lock}, as is all that follows. */
    final TreeMap<String, MemoryFile> files = new TreeMap<>();

    /** Path to the time of its making; the root is always there. */
    final TreeMap<String, Long> directories = new TreeMap<>();

    /** Files of which too few replicas are kept. */
    private final Set<String> thin = ConcurrentHashMap.newKeySet();

    /** By file, the hosts that have its blocks; of the others nobody knows. */
    private final Map<String, List<String>> hosts = new ConcurrentHashMap<>();

    private final Map<String, MemoryFileProcess> processes = new HashMap<>();

    public MemoryFileStore(Clock clock) {
        this(clock, (process, operation, path) -> {});
    }

    public MemoryFileStore(Clock clock, Hook hook) {
        this.clock = clock;
        this.hook = hook;
        directories.put("", clock.micros());
    }

    /** One process's view, the same until the process crashes; the next is that of the process started again. */
    public FileStore process(String name) {
        lock.lock();
        try {
            return processes.computeIfAbsent(name, n -> new MemoryFileProcess(this, n));
        } finally {
            lock.unlock();
        }
    }

    /** The datanodes of this file are lost but for one. Any thread. */
    public void thin(String path) {
        thin.add(path);
    }

    /** They are back, or another file takes its place. Any thread. */
    public void mend(String path) {
        thin.remove(path);
    }

    /** A bit of the file changes where it lies, which whoever has opened it sees too; done twice, it is as it was. Any thread. */
    public void flip(String path, int position) {
        lock.lock();
        try {
            requireNonNull(files.get(path), path).flip(position);
        } finally {
            lock.unlock();
        }
    }

    /** Of what a file holds; 0 if there is none. Any thread. */
    int hash(String path) {
        lock.lock();
        try {
            MemoryFile file = files.get(path);
            return file == null ? 0 : file.hash();
        } finally {
            lock.unlock();
        }
    }

    /** The blocks of the file are on these hosts, most on the first; a machine may have several names. Any thread. */
    public void place(String path, String... on) {
        hosts.put(path, List.of(on));
    }

    List<String> hosts(String path) {
        return hosts.getOrDefault(path, List.of());
    }

    boolean isThin(String path) {
        return thin.contains(path);
    }

    /** The process and the power of the machines that hold its open files: what they have not synced is in doubt. */
    public void crash(String process, RandomGenerator random) {
        List<MemoryFile.Torn> unused = crash(process, Loss.UNSYNCED, random);
    }

    /**
     * Every later operation of the process's view fails FENCED. The files that it was writing stay open, and torn.
     *
     * @return what became of each of them
     */
    List<MemoryFile.Torn> crash(String process, Loss loss, RandomGenerator random) {
        lock.lock();
        try {
            MemoryFileProcess crashed = processes.remove(process);
            if (crashed == null) {
                throw new IllegalArgumentException(process + " does not use the store");
            }
            crashed.crash();
            return files.values().stream()
                    .filter(file -> file.writer != null && file.writer.process() == crashed)
                    .map(file -> file.tear(loss == Loss.UNSYNCED, random))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Every process crashes, and of every file, closed ones as well, what was not synced is in doubt. */
    public void losePower(RandomGenerator random) {
        lock.lock();
        try {
            processes.values().forEach(MemoryFileProcess::crash);
            processes.clear();
            files.values().forEach(file -> file.tear(true, random));
        } finally {
            lock.unlock();
        }
    }

    /** What a crash puts in doubt. */
    public enum Loss {
        /** {@code kill -9}: what has not left the process. */
        UNFLUSHED,
        /** The machines' power as well: what is on no disk. */
        UNSYNCED
    }

    /** Called at the start of each operation, outside the store's lock: waits, throws, or crashes the process. */
    @FunctionalInterface
    public interface Hook {
        void before(String process, FileOperation operation, String path) throws BigtableException;
    }
}
