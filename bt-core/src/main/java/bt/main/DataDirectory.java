package bt.main;

import bt.base.RejectedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a cluster that is one process, held by it alone: the operating system's lock on the file {@code pid},
 * which the death of its holder frees.
 */
final class DataDirectory implements AutoCloseable {
    private static final int PID_BYTES = 20;

    private final Path path;
    private final FileChannel held;

    private DataDirectory(Path path, FileChannel held) {
        this.path = path;
        this.held = held;
    }

    /** Makes it where it is not there. REJECTED when another process uses it. */
    static DataDirectory hold(Path path) throws RejectedException {
        try {
            Files.createDirectories(path);
            FileChannel file = FileChannel.open(
                    path.resolve("pid"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (tryLock(file) == null) {
                String pid = read(file);
                file.close();
                throw new RejectedException(
                        path + ": process " + pid + " runs a cluster here",
                        "use that one (bt tables)," + " stop it (kill " + pid
                                + "), or name another directory with --data");
            }
            file.truncate(0);
            write(file, ProcessHandle.current().pid() + "\n");
            return new DataDirectory(path.toRealPath(), file);
        } catch (RejectedException refused) {
            throw refused;
        } catch (IOException unusable) {
            throw new RejectedException(
                    path + ": " + unusable.getClass().getSimpleName(),
                    "name a directory that can be written with --data");
        }
    }

    /** Absolute. */
    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        held.close();
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException ours) {
            return null;
        }
    }

    private static String read(FileChannel file) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(PID_BYTES);
        int length = file.read(pid, 0);
        return length <= 0
                ? "(unknown)"
                : StandardCharsets.UTF_8.decode(pid.flip()).toString().strip();
    }

    private static void write(FileChannel file, String pid) throws IOException {
        ByteBuffer text = StandardCharsets.UTF_8.encode(pid);
        while (text.hasRemaining()) {
            file.write(text);
        }
    }
}
