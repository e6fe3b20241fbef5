package bt.testing;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.UnavailableException;
import bt.fs.FileReader;

/** A reader of a closed {@link MemoryFile}. */
final class MemoryFileReader implements FileReader {
    private final MemoryFileProcess process;
    private final MemoryFile file;
    private final String path;
    private final int length;

    MemoryFileReader(MemoryFileProcess process, MemoryFile file, String path) {
        this.process = process;
        this.file = file;
        this.path = path;
        this.length = file.length();
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
        process.run(FileOperation.READ, path, () -> {
            if (file.deleted) {
                throw new UnavailableException(path + ": deleted while it was read");
            }
            if (position < 0 || position > file.length() - count) {
                throw new CorruptionException(
                        path + " at " + position + ": " + count + " bytes wanted, the file has " + file.length());
            }
            file.read((int) position, target, offset, count);
            return path;
        });
    }

    @Override
    public void close() {}
}
