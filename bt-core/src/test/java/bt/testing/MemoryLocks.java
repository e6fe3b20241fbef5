package bt.testing;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The small files of a lock service, for tests in which nobody loses a lock. Any thread. */
public final class MemoryLocks implements LockService {
    private final TreeMap<String, SmallFile> files = new TreeMap<>();
    private long transaction;

    @Override
    public synchronized Optional<SmallFile> read(String path) {
        return Optional.ofNullable(files.get(path));
    }

    @Override
    public synchronized SmallFile create(String path, Bytes content) throws RejectedException {
        if (files.containsKey(path)) {
            throw new RejectedException(path + " exists", "ask for another");
        }
        transaction++;
        files.put(path, new SmallFile(content, 0, transaction, transaction));
        return files.get(path);
    }

    @Override
    public synchronized SmallFile write(String path, Bytes content, long version) throws RejectedException {
        SmallFile old = files.get(path);
        if (old == null || old.version() != version) {
            throw new RejectedException(path + ": version is not " + version, "ask for another");
        }
        transaction++;
        files.put(path, new SmallFile(content, version + 1, old.createdTransaction(), transaction));
        return files.get(path);
    }

    @Override
    public synchronized void delete(String path) {
        files.remove(path);
    }

    private synchronized void deleteWithChildren(String path) {
        children(path).forEach(name -> files.remove(path + "/" + name));
        files.remove(path);
    }

    @Override
    public synchronized List<String> children(String path) {
        return files.keySet().stream()
                .filter(name -> name.startsWith(path + "/"))
                .map(name -> name.substring(path.length() + 1))
                .filter(name -> name.indexOf('/') < 0)
                .toList();
    }

    @Override
    public Optional<Lock> tryLock(String path, Bytes owner) {
        return Optional.of(new Taken(this, path));
    }

    @Override
    public Watch watch(String path, Runnable changed) {
        throw new UnsupportedOperationException("no watches here");
    }

    @Override
    public void close() {}

    /** By the only one who asked for it, who never loses it. */
    private record Taken(MemoryLocks files, String path) implements Lock {
        @Override
        public long transaction() {
            return 1;
        }

        @Override
        public void renew() {}

        @Override
        public void create(String path, Bytes content) throws RejectedException {
            SmallFile unused = files.create(path, content);
        }

        @Override
        public SmallFile write(String path, Bytes content, long version) throws RejectedException {
            return files.write(path, content, version);
        }

        @Override
        public void deleteWithChildren(String path) {
            files.deleteWithChildren(path);
        }

        @Override
        public void close() {}
    }
}
