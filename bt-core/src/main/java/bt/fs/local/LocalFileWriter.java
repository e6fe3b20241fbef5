package bt.fs.local;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The writer of one file. It looks at its lease after the bytes have left, never before: a fence takes the lease first
 * and copies the bytes then, so whatever this writer acknowledges is in the copy.
 */
final class LocalFileWriter implements FileWriter {
    private final StoreLock lock;
    private final Lease lease;
    private final Path file;
    private final FileChannel channel;
    private final String path;
    private final Placement placement;
    private long position;
    private long synced;
    private boolean done;

    LocalFileWriter(StoreLock lock, Lease lease, Path file, FileChannel channel, String path, Placement placement) {
        this.lock = lock;
        this.lease = lease;
        this.file = file;
        this.channel = channel;
        this.path = path;
        this.placement = placement;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void append(byte[] bytes, int offset, int length) throws BigtableException {
        checkState(!done, "append to %s, which was closed", path);
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw LocalErrors.of(path, e);
        }
        position += length;
        if (placement == Placement.DATA && position - synced >= Placement.DATA_AT_ONCE_BYTES) {
            sync();
        }
    }

    @Override
    public void flush() throws BigtableException {
        checkState(!done, "flush of %s, which was closed", path);
        try {
            // The page cache of the machine is what outlives this process: nothing is left to be done for that.
            needLease();
        } catch (IOException e) {
            throw LocalErrors.of(path, e);
        }
    }

    @Override
    public void sync() throws BigtableException {
        checkState(!done, "sync of %s, which was closed", path);
        try {
            channel.force(false);
            synced = position;
            needLease();
        } catch (IOException e) {
            throw LocalErrors.of(path, e);
        }
    }

    @Override
    public void close() throws BigtableException {
        if (done) {
            return;
        }
        done = true;
        try (channel) {
            if (placement == Placement.DATA) {
                channel.force(true);
            }
            lock.run(path, () -> {
                needLease();
                Lease.end(file);
                return path;
            });
        } catch (IOException e) {
            throw LocalErrors.of(path, e);
        }
    }

    @Override
    public void abandon() {
        done = true;
        try {
            channel.close();
        } catch (IOException ignored) {
            // What matters is the lease, and that stays until somebody fences the file.
        }
    }

    private void needLease() throws IOException {
        if (!lease.isHeld()) {
            throw new FencedException(
                    path + ": the file was taken from its writer within " + position + " bytes; write no more");
        }
    }
}
