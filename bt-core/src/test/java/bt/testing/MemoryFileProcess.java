package bt.testing;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;

/** What one simulated process sees of a {@link MemoryFileStore}, until it crashes. */
final class MemoryFileProcess implements FileStore {
    private final MemoryFileStore store;
    private final String name;
    private boolean crashed;

    MemoryFileProcess(MemoryFileStore store, String name) {
        this.store = store;
        this.name = name;
    }

    MemoryFileStore store() {
        return store;
    }

    String name() {
        return name;
    }

    long nowMicros() {
        return store.clock.micros();
    }

    void crash() {
        crashed = true;
    }

    @Override
    public FileWriter create(String path, Placement placement) throws BigtableException {
        FilePaths.checkBelowRoot(path);
        return run(FileOperation.CREATE, path, () -> {
            refuseExisting(path);
            needDirectory(FilePaths.parent(path));
            MemoryFile file = new MemoryFile();
            file.modifiedMicros = nowMicros();
            file.writer = new MemoryFileWriter(this, file, path, placement);
            store.files.put(path, file);
            return file.writer;
        });
    }

    @Override
    public FileReader open(String path) throws BigtableException {
        FilePaths.checkBelowRoot(path);
        return run(FileOperation.OPEN, path, () -> {
            MemoryFile file = need(path);
            if (file.writer != null) {
                throw new UnavailableException(
                        path + ": still written by " + file.writer.process().name() + "; fence it first");
            }
            return new MemoryFileReader(this, file, path);
        });
    }

    @Override
    public void makeDirectory(String path) throws BigtableException {
        FilePaths.check(path);
        run(FileOperation.MAKE_DIRECTORY, path, () -> {
            for (String at = path; !at.isEmpty(); at = FilePaths.parent(at)) {
                if (store.files.containsKey(at)) {
                    throw new RejectedException(path + ": " + at + " is a file", "ask for another");
                }
            }
            for (String at = path; !at.isEmpty(); at = FilePaths.parent(at)) {
                store.directories.putIfAbsent(at, nowMicros());
            }
            return path;
        });
    }

    @Override
    public List<FileInfo> list(String directory) throws BigtableException {
        FilePaths.check(directory);
        return run(FileOperation.LIST, directory, () -> {
            List<FileInfo> found = new ArrayList<>();
            children(store.files, directory).forEach((path, file) -> {
                if (FilePaths.parent(path).equals(directory)) {
                    found.add(new FileInfo(FilePaths.name(path), file.length(), false, file.modifiedMicros));
                }
            });
            children(store.directories, directory).forEach((path, madeMicros) -> {
                if (FilePaths.parent(path).equals(directory) && !path.isEmpty()) {
                    found.add(new FileInfo(FilePaths.name(path), 0, true, madeMicros));
                }
            });
            found.sort(Comparator.comparing(FileInfo::name));
            return List.copyOf(found);
        });
    }

    @Override
    public void rename(String from, String to) throws BigtableException {
        FilePaths.checkBelowRoot(from);
        FilePaths.checkBelowRoot(to);
        run(FileOperation.RENAME, from, () -> {
            if (!exists(from)) {
                throw new UnavailableException(from + ": there is no such path to rename to " + to);
            }
            refuseExisting(to);
            needDirectory(FilePaths.parent(to));
            if (to.startsWith(from + "/")) {
                throw new RejectedException(from + ": cannot be renamed into itself, to " + to, "ask for another");
            }
            move(store.files, from, to);
            move(store.directories, from, to);
            return to;
        });
    }

    @Override
    public boolean delete(String path) throws BigtableException {
        FilePaths.checkBelowRoot(path);
        return run(FileOperation.DELETE, path, () -> {
            boolean there = exists(path);
            forget(children(store.files, path));
            forget(store.files.subMap(path, true, path, true));
            children(store.directories, path).clear();
            store.directories.remove(path);
            return there;
        });
    }

    private static void forget(NavigableMap<String, MemoryFile> gone) {
        gone.values().forEach(file -> {
            file.writer = null;
            file.deleted = true;
        });
        gone.clear();
    }

    @Override
    public long fence(String path, long timeoutMillis) throws BigtableException {
        FilePaths.checkBelowRoot(path);
        return run(FileOperation.FENCE, path, () -> {
            MemoryFile file = need(path);
            if (file.writer != null) {
                file.forgetUnflushed();
                file.writer = null;
            }
            return (long) file.length();
        });
    }

    @Override
    public List<String> hosts(String path) throws BigtableException {
        FilePaths.checkBelowRoot(path);
        return run(FileOperation.HOSTS, path, () -> {
            need(path);
            return store.hosts(path);
        });
    }

    /** One operation: the hook, then, alone in the store, what a process that still lives does. */
    <T> T run(FileOperation operation, String path, Step<T> step) throws BigtableException {
        store.hook.before(name, operation, path);
        store.lock.lock();
        try {
            if (crashed) {
                throw new FencedException(path + ": " + name + " has crashed");
            }
            return step.run();
        } finally {
            store.lock.unlock();
        }
    }

    private boolean exists(String path) {
        return store.files.containsKey(path) || store.directories.containsKey(path);
    }

    private MemoryFile need(String path) throws UnavailableException {
        MemoryFile file = store.files.get(path);
        if (file == null) {
            throw new UnavailableException(path + ": there is no such file");
        }
        return file;
    }

    private void needDirectory(String path) throws UnavailableException {
        if (!store.directories.containsKey(path)) {
            throw new UnavailableException("\"" + path + "\": there is no such directory");
        }
    }

    private void refuseExisting(String path) throws RejectedException {
        if (exists(path)) {
            throw new RejectedException(path + ": exists already", "ask for another");
        }
    }

    /** All that lies below a directory, however deep: {@code 0} follows {@code /} in ASCII. */
    private static <V> NavigableMap<String, V> children(NavigableMap<String, V> paths, String directory) {
        return directory.isEmpty() ? paths : paths.subMap(directory + "/", false, directory + "0", false);
    }

    private static <V> void move(NavigableMap<String, V> paths, String from, String to) {
        List<String> moving = new ArrayList<>(children(paths, from).keySet());
        if (paths.containsKey(from)) {
            moving.add(from);
        }
        for (String path : moving) {
            paths.put(to + path.substring(from.length()), paths.remove(path));
        }
    }

    /** What an operation does while it alone has the store. */
    @FunctionalInterface
    interface Step<T> {
        T run() throws BigtableException;
    }
}
