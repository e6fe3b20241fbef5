package bt.fs.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Who may write a file: a small hidden file beside it that holds its writer's token. While it is there the file is open.
 * It needs no fsync: only a dead machine forgets it, and that has no writers left. Changed under the {@link StoreLock},
 * read without it.
 */
record Lease(Path file, String token) {
    private static final String TAKEN = "taken";

    static Path beside(Path target) {
        return target.resolveSibling("." + target.getFileName() + ".lease");
    }

    static Lease take(Path target) throws IOException {
        Lease lease = new Lease(beside(target), UUID.randomUUID().toString());
        Files.writeString(lease.file, lease.token);
        return lease;
    }

    /** Takes it from whoever has it; the file stays open. */
    static void revoke(Path target) throws IOException {
        Files.writeString(beside(target), TAKEN);
    }

    static boolean exists(Path target) {
        return Files.exists(beside(target));
    }

    static void end(Path target) throws IOException {
        Files.deleteIfExists(beside(target));
    }

    /** Anything but the writer's own token, even half of one, means that it was taken. */
    boolean isHeld() throws IOException {
        try {
            return Files.readString(file).equals(token);
        } catch (NoSuchFileException gone) {
            return false;
        }
    }
}
