package bt.fs.local;

import static bt.base.Check.checkArgument;

import bt.fs.LocalBlocks;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One file, written round and round: what is kept takes the place of what was kept longest ago. It has no name, so that
 * nothing of it is left when the process has ended, however it did. A disk that fails is left alone from then on.
 *
 * <p>A reader takes no lock. It looks into the index before and after it has read: a part leaves the index before its place
 * is written over, so whoever finds it there still has read the right bytes.
 */
public final class LocalBlockFile implements LocalBlocks, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalBlockFile.class);

    private final long maxBytes;
    private final FileChannel file;
    private final Map<Key, Place> index = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their places, from the next that will be written over on. */
    @GuardedBy("lock") private final Queue<Place> places = new ArrayDeque<>();

    @GuardedBy("lock") private long end;

    @GuardedBy("lock") private long kept;

    private volatile boolean broken;

    private LocalBlockFile(FileChannel file, long maxBytes) {
        this.file = file;
        this.maxBytes = maxBytes;
    }

    /** In a directory of this machine. Nothing is written before it is asked for. */
    public static LocalBlockFile create(Path directory, long maxBytes) throws IOException {
        checkArgument(maxBytes > 0, "local blocks of %d bytes", maxBytes);
        Path name = Files.createTempFile(Files.createDirectories(directory), "bt-blocks-", "");
        FileChannel file = FileChannel.open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(name);
        return new LocalBlockFile(file, maxBytes);
    }

    private record Key(String path, long offset) {}

    /** The number tells it from what was in the same place before, which may have been the same part. */
    private record Place(Key key, long number, long at, int length) {
        long end() {
            return at + length;
        }
    }

    @Override
    public boolean lacks(String path, long offset) {
        return !broken && !index.containsKey(new Key(path, offset));
    }

    @Override
    public boolean read(String path, long offset, int from, byte[] target, int length) {
        Key key = new Key(path, offset);
        Place place = index.get(key);
        if (place == null || from > place.length - length || broken) {
            return false;
        }
        try {
            ByteBuffer into = ByteBuffer.wrap(target, 0, length);
            while (into.hasRemaining()) {
                if (file.read(into, place.at + from + into.position()) < 0) {
                    return false;
                }
            }
        } catch (IOException failed) {
            giveUp(failed);
            return false;
        }
        return place.equals(index.get(key));
    }

    @Override
    public void keep(String path, long offset, byte[] bytes, int length) {
        Key key = new Key(path, offset);
        // One writer at a time is enough; whoever comes meanwhile keeps nothing rather than wait for a disk.
        if (length > maxBytes || broken || index.containsKey(key) || !lock.tryLock()) {
            return;
        }
        try {
            Place place = makeRoom(key, length);
            ByteBuffer from = ByteBuffer.wrap(bytes, 0, length);
            while (from.hasRemaining()) {
                file.write(from, place.at + from.position());
            }
            places.add(place);
            index.put(key, place);
        } catch (IOException failed) {
            giveUp(failed);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private Place makeRoom(Key key, int length) {
        if (end + length > maxBytes) {
            // What lies behind is lost with the round: it was kept before all that begins the file.
            while (!places.isEmpty() && places.element().at >= end) {
                drop();
            }
            end = 0;
        }
        Place place = new Place(key, kept++, end, length);
        while (!places.isEmpty() && places.element().at >= place.at && places.element().at < place.end()) {
            drop();
        }
        end = place.end();
        return place;
    }

    @GuardedBy("lock") private void drop() {
        Place gone = places.remove();
        index.remove(gone.key, gone);
    }

    private void giveUp(IOException failed) {
        if (!broken) {
            broken = true;
            index.clear();
            log.warn("local blocks are not used any more: {}", failed.toString());
        }
    }

    @Override
    public void close() {
        broken = true;
        index.clear();
        try {
            file.close();
        } catch (IOException ignored) {
            // Nobody will read it.
        }
    }
}
