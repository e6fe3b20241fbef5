package bt.examples.cluster;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Directories that are file systems in memory, each its own, which can be made full: where the machine lets us mount. One thread. */
final class Disks {
    /** What HDFS thinks there is: it wants room for a whole block of 128 MB for each file that is written. */
    private static final long BYTES = 8L << 30;

    private static final long LEFT_BYTES = 64 << 10;
    private static final long PAGE_BYTES = 4 << 10;
    private static final long COMMAND_SECONDS = 20;

    private final List<Path> directories;

    private Disks(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    /** Empty where the machine does not let us. They go with this JVM. */
    static Optional<Disks> mount(List<Path> directories) throws IOException, InterruptedException {
        List<Path> mounted = new ArrayList<>();
        Disks disks = new Disks(directories);
        for (Path directory : directories) {
            Files.createDirectories(directory);
            if (!run("mount", "-t", "tmpfs", "-o", "size=" + BYTES, "tmpfs", directory.toString())) {
                new Disks(mounted).unmount();
                return Optional.empty();
            }
            mounted.add(directory);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(disks::unmount, "unmount disks"));
        return Optional.of(disks);
    }

    /** They have a few bytes left: that these are taken says that more were wanted. */
    void fill() throws IOException, InterruptedException {
        for (Path directory : directories) {
            FileStore store = Files.getFileStore(directory);
            resize(directory, store.getTotalSpace() - store.getUnallocatedSpace() + LEFT_BYTES);
        }
    }

    /** Whether one has not a page left. */
    boolean hasFull() throws IOException {
        for (Path directory : directories) {
            if (Files.getFileStore(directory).getUnallocatedSpace() < PAGE_BYTES) {
                return true;
            }
        }
        return false;
    }

    /** As they were. */
    void free() throws IOException, InterruptedException {
        for (Path directory : directories) {
            resize(directory, BYTES);
        }
    }

    /** With all that is in them. */
    void unmount() {
        for (Path directory : directories) {
            try {
                boolean unused = run("umount", "-l", directory.toString());
            } catch (IOException absent) {
                // Then nothing was mounted either.
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void resize(Path directory, long bytes) throws IOException, InterruptedException {
        if (!run("mount", "-o", "remount,size=" + bytes, directory.toString())) {
            throw new IOException(directory + ": cannot be made " + bytes + " bytes large");
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noSuchCommand) {
            return false;
        }
    }
}
