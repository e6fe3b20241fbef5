package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.fs.FileReader;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;

/** Positional reads of one closed file; HDFS checks its checksums and tries the other replicas itself. */
final class HadoopFileReader implements FileReader {
    private final String path;
    private final FSDataInputStream in;
    private final long length;

    HadoopFileReader(String path, FSDataInputStream in, long length) {
        this.path = path;
        this.in = in;
        this.length = length;
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
            throw new CorruptionException(
                    path + " at " + position + ": " + count + " bytes wanted, the file has " + length);
        }
        try {
            in.readFully(position, target, offset, count);
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException ignored) {
            // Nothing was written.
        }
    }
}
