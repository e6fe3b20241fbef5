package bt.fs.local;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.UnavailableException;
import bt.fs.FileReader;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/** A reader of one closed file. The interruption of one reading thread closes a channel for all: it is opened again. */
final class LocalFileReader implements FileReader {
    private final Path file;
    private final String path;
    private final long length;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private FileChannel channel;

    @GuardedBy("lock") private boolean closed;

    LocalFileReader(Path file, String path) throws IOException {
        this.file = file;
        this.path = path;
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
        this.length = channel.size();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int count) throws BigtableException {
        if (position < 0 || position > length - count) {
            throw past(position, count);
        }
        ByteBuffer buffer = ByteBuffer.wrap(target, offset, count);
        try {
            while (buffer.hasRemaining()) {
                read(position + buffer.position() - offset, buffer);
            }
        } catch (IOException e) {
            throw LocalErrors.of(path, e);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            channel.close();
        } catch (IOException ignored) {
            // Nothing was written.
        } finally {
            lock.unlock();
        }
    }

    private void read(long position, ByteBuffer buffer) throws IOException {
        try {
            if (channel().read(buffer, position) < 0) {
                throw past(position, buffer.remaining());
            }
        } catch (ClosedByInterruptException e) {
            throw new UnavailableException(path + ": interrupted while it was read").causedBy(e);
        } catch (ClosedChannelException another) {
            // Another thread was interrupted, or closed the reader, which the next look at the channel will say.
        }
    }

    private FileChannel channel() throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new UnavailableException(path + ": its reader was closed");
            }
            if (!channel.isOpen()) {
                channel = FileChannel.open(file, StandardOpenOption.READ);
            }
            return channel;
        } finally {
            lock.unlock();
        }
    }

    private CorruptionException past(long position, int count) {
        return new CorruptionException(
                path + " at " + position + ": " + count + " bytes wanted, the file has " + length);
    }
}
