package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.fs.FileReader;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;

/**
 * Positional reads of one closed file. HDFS checks its checksums, where a replica has some, and tries the other replicas
 * itself; where it has none nobody is told, so whoever reads checks what it gets.
 */
final class HadoopFileReader implements FileReader {
    private final String path;
    private final Path file;
    private final FSDataInputStream in;
    private final long length;
    private final Damage damage;

    HadoopFileReader(String path, Path file, FSDataInputStream in, long length, Damage damage) {
        this.path = path;
        this.file = file;
        this.in = in;
        this.length = length;
        this.damage = damage;
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
        } catch (BlockMissingException missing) {
            if (!damage.isAllThere(file, position, count)) {
                throw HadoopErrors.of(path, missing);
            }
            readAgain(position, target, offset, count);
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    /** CORRUPTION where a block is missing once more, though all that have it are there, before and after. */
    private void readAgain(long position, byte[] target, int offset, int count) throws BigtableException {
        try {
            damage.read(file, position, target, offset, count);
        } catch (BlockMissingException damaged) {
            if (!damage.isAllThere(file, position, count)) {
                throw HadoopErrors.of(path, damaged);
            }
            throw new CorruptionException(
                            path + " at " + position + ": no replica of these " + count + " bytes has its checksums")
                    .causedBy(damaged);
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
