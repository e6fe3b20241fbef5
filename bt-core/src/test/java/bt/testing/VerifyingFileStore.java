package bt.testing;

import bt.base.BigtableException;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import java.util.List;

/** A file store that says of its reads that they were compared with checksums of its own, as HDFS does. */
public final class VerifyingFileStore implements FileStore {
    private final FileStore inner;

    public VerifyingFileStore(FileStore inner) {
        this.inner = inner;
    }

    @Override
    public FileReader open(String path) throws BigtableException {
        return new VerifyingReader(inner.open(path));
    }

    private record VerifyingReader(FileReader inner) implements FileReader {
        @Override
        public String path() {
            return inner.path();
        }

        @Override
        public long length() {
            return inner.length();
        }

        @Override
        public void readFully(long position, byte[] target, int offset, int length) throws BigtableException {
            inner.readFully(position, target, offset, length);
        }

        @Override
        public boolean verifies() {
            return true;
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    @Override
    public FileWriter create(String path, Placement placement) throws BigtableException {
        return inner.create(path, placement);
    }

    @Override
    public void makeDirectory(String path) throws BigtableException {
        inner.makeDirectory(path);
    }

    @Override
    public List<FileInfo> list(String directory) throws BigtableException {
        return inner.list(directory);
    }

    @Override
    public void rename(String from, String to) throws BigtableException {
        inner.rename(from, to);
    }

    @Override
    public boolean delete(String path) throws BigtableException {
        return inner.delete(path);
    }

    @Override
    public long fence(String path, long timeoutMillis) throws BigtableException, InterruptedException {
        return inner.fence(path, timeoutMillis);
    }

    @Override
    public List<String> hosts(String path) throws BigtableException {
        return inner.hosts(path);
    }
}
