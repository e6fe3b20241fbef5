package bt.fs.local;

import static bt.base.Check.checkArgument;

import bt.fs.LocalBlocks;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One file, written round and round: what is kept takes the place of what was kept longest ago. It has no name, so that
 * nothing of it is left when the process has ended, however it did. A disk that fails is left alone from then on; a thread
 * that is interrupted while it reads closes the file for all, and another begins, empty.
 *
 * <p>A reader takes no lock. It looks into the index before and after it has read: a part leaves the index before its place
 * is written over, so whoever finds it there still has read the right bytes.
 */
public final class LocalBlockFile implements LocalBlocks, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalBlockFile.class);

    /** A disk that damages so much is left alone. */
    private static final int MAX_DAMAGED = 100;

    private final Path directory;
    private final long maxBytes;
    private final AtomicInteger damaged = new AtomicInteger();
    private final Map<Key, Place> index = new ConcurrentHashMap<>();

    /** Of what is in the index. */
    private final AtomicLong bytes = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their places, from the next that will be written over on. */
    @GuardedBy("lock") private final Queue<Place> places = new ArrayDeque<>();

    @GuardedBy("lock") private long end;

    @GuardedBy("lock") private long kept;

    /** Changes under the lock, after the index was cleared. */
    private volatile FileChannel file;

    private volatile boolean broken;

    private LocalBlockFile(Path directory, long maxBytes) throws IOException {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.file = unnamed(directory);
    }

    /** In a directory of this machine. Nothing is written before it is asked for. */
    public static LocalBlockFile create(Path directory, long maxBytes) throws IOException {
        checkArgument(maxBytes > 0, "local blocks of %d bytes", maxBytes);
        return new LocalBlockFile(Files.createDirectories(directory), maxBytes);
    }

    private static FileChannel unnamed(Path directory) throws IOException {
        Path name = Files.createTempFile(directory, "bt-blocks-", "");
        FileChannel file = FileChannel.open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(name);
        return file;
    }

    private record Key(String path, long offset) {}

    /** The number tells it from what was in the same place before, which may have been the same part. */
    private record Place(Key key, long number, long at, int length) {
        long end() {
            return at + length;
        }
    }

    @Override
    public boolean has(String path, long offset) {
        return index.containsKey(new Key(path, offset));
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
        FileChannel read = file;
        // The channel of an interrupted thread would close.
        boolean interrupted = Thread.interrupted();
        try {
            return fill(ByteBuffer.wrap(target, 0, length), read, place.at + from) && place.equals(index.get(key));
        } catch (ClosedChannelException closed) {
            beginAnew(read);
            return false;
        } catch (IOException failed) {
            giveUp(failed);
            return false;
        } finally {
            restore(interrupted);
        }
    }

    private static boolean fill(ByteBuffer into, FileChannel file, long at) throws IOException {
        while (into.hasRemaining()) {
            if (file.read(into, at + into.position()) < 0) {
                return false;
            }
        }
        return true;
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void keep(String path, long offset, ByteBuffer part) {
        keep(new Key(path, offset), part, true);
    }

    @Override
    public void keepWhereFree(String path, long offset, ByteBuffer part) {
        keep(new Key(path, offset), part, false);
    }

    private void keep(Key key, ByteBuffer part, boolean mayDisplace) {
        int length = part.remaining();
        // One writer at a time is enough; whoever comes meanwhile keeps nothing rather than wait for a disk.
        if (length > maxBytes || broken || index.containsKey(key) || !lock.tryLock()) {
            return;
        }
        FileChannel written = file;
        boolean interrupted = Thread.interrupted();
        try {
            if (mayDisplace || isFree(length)) {
                write(part, written, makeRoom(key, length));
            }
        } catch (ClosedChannelException closed) {
            beginAnew(written);
        } catch (IOException failed) {
            giveUp(failed);
        } finally {
            restore(interrupted);
            lock.unlock();
        }
    }

    @Override
    public void drop(String path, long offset) {
        // Its place is written over when its turn comes.
        if (!forget(new Key(path, offset))) {
            return;
        }
        log.warn("local blocks: the copy of {} at {} is damaged", path, offset);
        if (damaged.incrementAndGet() >= MAX_DAMAGED) {
            giveUp(new IOException(MAX_DAMAGED + " copies were damaged"));
        }
    }

    private boolean forget(Key key) {
        Place gone = index.remove(key);
        if (gone != null) {
            bytes.addAndGet(-gone.length);
        }
        return gone != null;
    }

    private void forgetAll() {
        index.keySet().forEach(this::forget);
    }

    @Override
    public long bytes() {
        return bytes.get();
    }

    @Override
    public long maxBytes() {
        return broken ? 0 : maxBytes;
    }

    /** Somebody was interrupted in the middle of a read or write, which has closed the file. */
    private void beginAnew(FileChannel closed) {
        lock.lock();
        try {
            if (broken || file != closed) {
                return;
            }
            // First: a reader that took its place from the index of before and reads the new file does not find it
            // there again.
            forgetAll();
            places.clear();
            end = 0;
            file = unnamed(directory);
        } catch (IOException failed) {
            giveUp(failed);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void write(ByteBuffer part, FileChannel into, Place place) throws IOException {
        for (long at = place.at; part.hasRemaining(); ) {
            at += into.write(part, at);
        }
        places.add(place);
        Place before = index.put(place.key, place);
        // Of somebody who had the lock just before.
        bytes.addAndGet(place.length - (before == null ? 0 : before.length));
    }

    /** Whether {@link #makeRoom} for so many bytes would take nothing that is still read. */
    @GuardedBy("lock") private boolean isFree(int length) {
        while (!places.isEmpty() && !places.element().equals(index.get(places.element().key))) {
            places.remove();
        }
        if (places.isEmpty()) {
            return true;
        }
        long next = places.element().at;
        if (next >= end) {
            return length <= next - end;
        }
        // Of this round: all behind the end is free, and what the round began with comes next.
        return length <= maxBytes - end || length <= next;
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
        if (index.remove(gone.key, gone)) {
            bytes.addAndGet(-gone.length);
        }
    }

    private void giveUp(IOException failed) {
        if (!broken) {
            broken = true;
            forgetAll();
            log.warn("local blocks are not used any more: {}", failed.toString());
        }
    }

    @Override
    public void close() {
        broken = true;
        forgetAll();
        // Nobody begins another file meanwhile, or afterwards.
        lock.lock();
        try {
            file.close();
        } catch (IOException ignored) {
            // Nobody will read it.
        } finally {
            lock.unlock();
        }
    }
}
