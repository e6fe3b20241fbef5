package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.fs.hadoop.HadoopFileWriter.Target;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/**
 * A directory of HDFS. Only HDFS: a commit log stands on its leases, which Hadoop's other file systems do not have. Any
 * number of threads.
 */
public final class HadoopFileStore implements FileStore, AutoCloseable {
    /** Whatever the operator chose for other files: a log fills its chunks, and must know how large they are. */
    private static final ChecksumOpt LOG_CHECKSUMS = new ChecksumOpt(DataChecksum.Type.CRC32C, FileWriter.CHUNK_BYTES);

    /** The NameNode looks every few seconds for files that lack replicas; what it does not find a place for is written anew. */
    private static final long REPLICAS_MILLIS = 15_000;

    private final Path root;
    private final Configuration settings;
    private final Configuration dataSettings;
    private final DistributedFileSystem files;
    private final LeaseRecovery leases;
    private final Replicas replicas;
    private final Datanodes datanodes;
    private final Damage damage;

    private HadoopFileStore(Path root, Configuration settings, DistributedFileSystem files, Scheduler scheduler) {
        this.root = files.makeQualified(root);
        this.settings = settings;
        this.dataSettings = HadoopSettings.forData(settings);
        this.files = files;
        this.leases = new LeaseRecovery(files, scheduler);
        this.replicas = new Replicas(files, scheduler, REPLICAS_MILLIS);
        this.datanodes = new Datanodes(new DatanodeQuestion(settings), scheduler);
        this.damage = new Damage(files, settings);
    }

    /**
     * The store below {@code hdfs://host:port/path}, which is made where it is not there.
     *
     * @param settings Hadoop's own keys; they go before its configuration files on the class path
     */
    public static HadoopFileStore open(String rootUri, Map<String, String> settings, Scheduler scheduler)
            throws BigtableException {
        Configuration configuration = HadoopSettings.with(settings);
        Path root = parse(rootUri);
        DistributedFileSystem files = connect(root.toUri(), configuration);
        try {
            // Asked first: in safe mode the NameNode refuses to make even what is there.
            if (!files.exists(root)) {
                files.mkdirs(root);
            }
            return new HadoopFileStore(root, configuration, files, scheduler);
        } catch (IOException e) {
            closeQuietly(files);
            throw HadoopErrors.of(rootUri, e);
        }
    }

    @Override
    public FileWriter create(String path, Placement placement) throws BigtableException {
        Path file = new Path(root, FilePaths.checkBelowRoot(path));
        DistributedFileSystem own = connect(root.toUri(), placement == Placement.DATA ? dataSettings : settings);
        try {
            // Non-recursive, as the builder is. Neither close nor hsync reaches a block that is already full unless
            // each is synced as it ends, so both placements need that.
            HdfsDataOutputStreamBuilder builder =
                    own.createFile(file).overwrite(false).syncBlock();
            if (placement == Placement.LOG) {
                // Erasure-coded files can be neither flushed nor synced.
                builder.replicate();
                builder.checksumOpt(LOG_CHECKSUMS);
                avoidSilent(builder, file);
            }
            HdfsDataOutputStream out = (HdfsDataOutputStream) builder.build();
            return new HadoopFileWriter(
                    new Target(path, file, placement), new HadoopFileWriter.Stream(own, out), datanodes, replicas);
        } catch (BigtableException e) {
            closeQuietly(own);
            throw e;
        } catch (IOException e) {
            closeQuietly(own);
            throw HadoopErrors.of(path, e);
        }
    }

    /** The NameNode gives a file that wants no more replicas than it has favored datanodes to these alone. */
    private void avoidSilent(HdfsDataOutputStreamBuilder builder, Path file) throws IOException {
        List<DatanodeInfo> chosen = datanodes.answering(replicas.wanted(file), files.getDefaultReplication(file));
        if (!chosen.isEmpty()) {
            InetSocketAddress[] favored = new InetSocketAddress[chosen.size()];
            for (int i = 0; i < favored.length; i++) {
                favored[i] = address(chosen.get(i));
            }
            builder.replication((short) favored.length);
            builder.favoredNodes(favored);
        }
    }

    /** HDFS's client asks for the name, and the NameNode knows the number: so the one is the other. */
    private static InetSocketAddress address(DatanodeInfo datanode) throws IOException {
        byte[] number = InetAddress.getByName(datanode.getIpAddr()).getAddress();
        return new InetSocketAddress(InetAddress.getByAddress(datanode.getIpAddr(), number), datanode.getXferPort());
    }

    @Override
    public FileReader open(String path) throws BigtableException {
        Path file = new Path(root, FilePaths.checkBelowRoot(path));
        try {
            if (!files.isFileClosed(file)) {
                throw new UnavailableException(path + ": still written; fence it first");
            }
            long length = files.getFileStatus(file).getLen();
            FSDataInputStream in = files.open(file);
            return new HadoopFileReader(path, file, in, length, damage);
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    @Override
    public void makeDirectory(String path) throws BigtableException {
        try {
            files.mkdirs(resolve(path));
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    @Override
    public List<FileInfo> list(String directory) throws BigtableException {
        Path asked = resolve(directory);
        try {
            return Stream.of(files.listStatus(asked))
                    // A file lists itself.
                    .filter(status -> !status.getPath().equals(asked))
                    .map(HadoopFileStore::info)
                    .sorted(Comparator.comparing(FileInfo::name))
                    .toList();
        } catch (FileNotFoundException nothing) {
            return List.of();
        } catch (IOException e) {
            throw HadoopErrors.of(directory, e);
        }
    }

    @Override
    public void rename(String from, String to) throws BigtableException {
        Path source = new Path(root, FilePaths.checkBelowRoot(from));
        Path target = new Path(root, FilePaths.checkBelowRoot(to));
        try {
            // With options it refuses an existing target; without, it would move into an existing directory.
            files.rename(source, target, Rename.NONE);
        } catch (RemoteException refused) {
            throw exists(target)
                    ? new RejectedException(to + ": exists already", "choose another name").causedBy(refused)
                    : HadoopErrors.of(from, refused);
        } catch (IOException e) {
            throw HadoopErrors.of(from + " to " + to, e);
        }
    }

    @Override
    public boolean delete(String path) throws BigtableException {
        try {
            return files.delete(new Path(root, FilePaths.checkBelowRoot(path)), true);
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    @Override
    public long fence(String path, long timeoutMillis) throws BigtableException, InterruptedException {
        Path file = new Path(root, FilePaths.checkBelowRoot(path));
        leases.run(path, file, timeoutMillis);
        try {
            return files.getFileStatus(file).getLen();
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    @Override
    public List<String> hosts(String path) throws BigtableException {
        try {
            FileStatus status = files.getFileStatus(new Path(root, FilePaths.checkBelowRoot(path)));
            return BlockHosts.of(files.getFileBlockLocations(status, 0, status.getLen()));
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    @Override
    public void close() {
        closeQuietly(files);
    }

    private Path resolve(String path) {
        return FilePaths.check(path).isEmpty() ? root : new Path(root, path);
    }

    private boolean exists(Path path) {
        try {
            return files.exists(path);
        } catch (IOException unknown) {
            return false;
        }
    }

    private static FileInfo info(FileStatus status) {
        long modifiedMicros = status.getModificationTime() * 1000;
        return new FileInfo(status.getPath().getName(), status.getLen(), status.isDirectory(), modifiedMicros);
    }

    private static Path parse(String rootUri) throws RejectedException {
        try {
            Path root = new Path(rootUri);
            if (HdfsConstants.HDFS_URI_SCHEME.equals(root.toUri().getScheme())) {
                return root;
            }
        } catch (IllegalArgumentException e) {
            throw notHdfs(rootUri, e);
        }
        throw notHdfs(rootUri, null);
    }

    private static RejectedException notHdfs(String rootUri, @Nullable Throwable cause) {
        RejectedException rejected = new RejectedException(
                rootUri + ": is no directory of HDFS", "write hdfs://host:port/path, or use bt dev for a local one");
        if (cause != null) {
            rejected.initCause(cause);
        }
        return rejected;
    }

    private static DistributedFileSystem connect(URI uri, Configuration settings) throws BigtableException {
        try {
            // A new one each time: Hadoop's shared ones are closed by whoever likes to.
            return (DistributedFileSystem) FileSystem.newInstance(uri, settings);
        } catch (IOException | IllegalArgumentException e) {
            throw new UnavailableException(uri + ": " + e.getMessage()).causedBy(e);
        }
    }

    private static void closeQuietly(DistributedFileSystem files) {
        try {
            files.close();
        } catch (IOException ignored) {
            // The NameNode forgets us by itself.
        }
    }
}
