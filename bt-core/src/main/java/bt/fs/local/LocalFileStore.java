package bt.fs.local;

import bt.base.BigtableException;
import bt.base.DirectoryTree;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A directory of this machine. Any number of threads and processes.
 *
 * <p>A file is open while a {@link Lease} lies beside it. To fence a file is to change the token in the lease, and then to
 * put a copy of the bytes in the file's place: a writer that still lives goes on in a file without a name, and its next
 * flush, sync or close sees the lease. Only then does the lease go. The writer looks at the lease after each flush and sync,
 * the fence copies after it took the lease, so nothing is acknowledged that the copy does not hold, and no lock is taken to
 * write. A fence that dies half-way leaves the file open, to be fenced again.
 *
 * <p>The limit: all processes run on one machine, over one file system with coherent caches; a directory shared by NFS is
 * none. Directories are synced through a channel, which Windows refuses.
 */
public final class LocalFileStore implements FileStore {
    private final Path root;
    private final StoreLock lock;

    private LocalFileStore(Path root) {
        this.root = root;
        this.lock = new StoreLock(root.resolve(".lock"));
    }

    /** The store in a directory, which is made where it is not there. */
    public static LocalFileStore open(Path root) throws BigtableException {
        try {
            return new LocalFileStore(Files.createDirectories(root).toRealPath());
        } catch (FileAlreadyExistsException e) {
            throw new RejectedException(root + ": is no directory", "name one to keep data in").causedBy(e);
        } catch (IOException e) {
            throw LocalErrors.of(root.toString(), e);
        }
    }

    @Override
    public FileWriter create(String path, Placement placement) throws BigtableException {
        FilePaths.checkBelowRoot(path);
        Path file = root.resolve(path);
        return lock.run(path, () -> {
            refuseExisting(path);
            // The lease first: a file that lies there without one is closed. A process may die between the two; the
            // lease of a file that is not there means nothing.
            Lease lease = Lease.take(file);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            syncParent(file);
            return new LocalFileWriter(lock, lease, file, channel, path, placement);
        });
    }

    @Override
    public FileReader open(String path) throws BigtableException {
        Path file = root.resolve(FilePaths.checkBelowRoot(path));
        return lock.run(path, () -> {
            needFile(path);
            if (Lease.exists(file)) {
                throw new UnavailableException(path + ": still written; fence it first");
            }
            return new LocalFileReader(file, path);
        });
    }

    @Override
    public void makeDirectory(String path) throws BigtableException {
        Path directory = root.resolve(FilePaths.check(path));
        lock.run(path, () -> {
            Files.createDirectories(directory);
            for (Path made = directory; !made.equals(root); made = made.resolveSibling("")) {
                syncParent(made);
            }
            return path;
        });
    }

    @Override
    public List<FileInfo> list(String directory) throws BigtableException {
        List<FileInfo> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(root.resolve(FilePaths.check(directory)))) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                addTo(found, entry);
            }
        } catch (NoSuchFileException | NotDirectoryException nothing) {
            return List.of();
        } catch (IOException e) {
            throw LocalErrors.of(directory, e);
        }
        found.sort(Comparator.comparing(FileInfo::name));
        return List.copyOf(found);
    }

    @Override
    public void rename(String from, String to) throws BigtableException {
        Path source = root.resolve(FilePaths.checkBelowRoot(from));
        Path target = root.resolve(FilePaths.checkBelowRoot(to));
        lock.run(from, () -> {
            refuseExisting(to);
            if (target.startsWith(source)) {
                throw new RejectedException(
                        from + ": cannot be renamed into itself, to " + to, "name a place outside of it");
            }
            if (Lease.exists(source)) {
                throw new UnavailableException(from + ": still written; fence it first");
            }
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
            syncParent(target);
            syncParent(source);
            return to;
        });
    }

    @Override
    public boolean delete(String path) throws BigtableException {
        Path target = root.resolve(FilePaths.checkBelowRoot(path));
        return lock.run(path, () -> {
            if (!Files.exists(target)) {
                return false;
            }
            Lease.end(target);
            DirectoryTree.delete(target);
            syncParent(target);
            return true;
        });
    }

    @Override
    public long fence(String path, long timeoutMillis) throws BigtableException {
        Path file = root.resolve(FilePaths.checkBelowRoot(path));
        return lock.run(path, () -> {
            needFile(path);
            if (Lease.exists(file)) {
                Lease.revoke(file);
                replaceByCopy(file);
                Lease.end(file);
            }
            return Files.size(file);
        });
    }

    @Override
    public List<String> hosts(String path) throws BigtableException {
        needFile(FilePaths.checkBelowRoot(path));
        return List.of();
    }

    private static void replaceByCopy(Path file) throws IOException {
        Path copy = file.resolveSibling("." + file.getFileName() + ".copy");
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
        syncParent(file);
    }

    private static void addTo(List<FileInfo> found, Path entry) throws IOException {
        String name = entry.getFileName().toString();
        if (name.startsWith(".")) {
            return;
        }
        try {
            BasicFileAttributes about = Files.readAttributes(entry, BasicFileAttributes.class);
            boolean directory = about.isDirectory();
            long modifiedMicros = about.lastModifiedTime().to(TimeUnit.MICROSECONDS);
            found.add(new FileInfo(name, directory ? 0 : about.size(), directory, modifiedMicros));
        } catch (NoSuchFileException deleted) {
            // Since it was listed.
        }
    }

    private void needFile(String path) throws UnavailableException {
        if (!Files.isRegularFile(root.resolve(path))) {
            throw new UnavailableException(path + ": there is no such file");
        }
    }

    private void refuseExisting(String path) throws RejectedException {
        if (Files.exists(root.resolve(path))) {
            throw new RejectedException(path + ": exists already", "choose another name");
        }
    }

    /** A name is on disk when its directory is. */
    private static void syncParent(Path path) throws IOException {
        try (FileChannel directory = FileChannel.open(path.resolveSibling(""), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
