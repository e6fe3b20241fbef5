package bt.testing;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;

/** A writer of a {@link MemoryFile}. As in HDFS an append stays with the writer: a fence shows when it leaves. */
final class MemoryFileWriter implements FileWriter {
    private final MemoryFileProcess process;
    private final MemoryFile file;
    private final String path;
    private final Placement placement;
    private long position;
    private boolean done;

    MemoryFileWriter(MemoryFileProcess process, MemoryFile file, String path, Placement placement) {
        this.process = process;
        this.file = file;
        this.path = path;
        this.placement = placement;
    }

    MemoryFileProcess process() {
        return process;
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
        process.run(FileOperation.APPEND, path, () -> {
            if (file.writer == this) {
                file.append(bytes, offset, length);
            }
            return position += length;
        });
    }

    @Override
    public boolean isThin() {
        return process.store().isThin(path);
    }

    @Override
    public void flush() throws BigtableException {
        checkState(!done, "flush of %s, which was closed", path);
        process.run(FileOperation.FLUSH, path, () -> {
            own().flush();
            return path;
        });
    }

    @Override
    public void sync() throws BigtableException {
        checkState(!done, "sync of %s, which was closed", path);
        process.run(FileOperation.SYNC, path, () -> {
            own().sync();
            return path;
        });
    }

    @Override
    public void close() throws BigtableException {
        if (done) {
            return;
        }
        done = true;
        process.run(FileOperation.CLOSE, path, () -> {
            own().flush();
            if (placement == Placement.DATA) {
                file.sync();
            }
            file.writer = null;
            return path;
        });
    }

    @Override
    public void abandon() {
        done = true;
        try {
            process.run(FileOperation.ABANDON, path, () -> path);
        } catch (BigtableException ignored) {
            // The lease stays with us until somebody fences the file, whatever went wrong.
        }
    }

    private MemoryFile own() throws FencedException {
        if (file.writer != this) {
            throw new FencedException(path + ": the file was taken from " + process.name() + " after " + position
                    + " bytes; nothing more can be written");
        }
        file.modifiedMicros = process.nowMicros();
        return file;
    }
}
