package bt.tablet;

import bt.base.BigtableException;
import bt.fs.FileStore;
import bt.record.FileReference;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Paths for new SSTables: {@code data/<table id>/<epoch of the server>/<number>}, none twice; and which of them METADATA
 * may still come to name. Whoever was given a path says when that is settled. What nobody settles is only kept for longer:
 * the sweep of garbage leaves what lies above {@link #settled}. Any thread.
 */
public final class FileNames {
    private final long epoch;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final TreeSet<Long> open = new TreeSet<>();

    @GuardedBy("lock") private long last;

    public FileNames(long epoch) {
        this.epoch = epoch;
    }

    /** A path that was never given before; its directory is there. */
    String next(FileStore files, long tableId) throws BigtableException {
        String directory = directory(tableId);
        files.makeDirectory(directory);
        lock.lock();
        try {
            last++;
            open.add(last);
            return directory + "/" + last;
        } finally {
            lock.unlock();
        }
    }

    /** METADATA names the files, or it is certain that it never will. Those of others are left aside. */
    public void settle(Collection<FileReference> files) {
        files.forEach(file -> settle(file.getPath()));
    }

    void settle(String path) {
        int slash = path.lastIndexOf('/');
        if (path.substring(0, Math.max(0, slash)).endsWith("/" + epoch)) {
            lock.lock();
            try {
                open.remove(Long.parseLong(path.substring(slash + 1)));
            } finally {
                lock.unlock();
            }
        }
    }

    /** Every file up to this number is named by METADATA by now, or never will be. */
    public long settled() {
        lock.lock();
        try {
            return open.isEmpty() ? last : open.first() - 1;
        } finally {
            lock.unlock();
        }
    }

    /** Who creates the files, for their properties. */
    String creator() {
        return Long.toString(epoch);
    }

    private String directory(long tableId) {
        return "data/" + tableId + "/" + epoch;
    }
}
