package bt.examples.cluster;

import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** A NameNode and some datanodes, each a process of {@link HdfsMain}. One thread. */
public final class Hdfs {
    private static final long START_MILLIS = 120_000;
    private static final long LOOK_MILLIS = 100;

    private final Workplace at;
    private final Scheduler scheduler;
    private final String address;
    private final int datanodesWanted;
    private final Seat nameNode;
    private final List<Seat> datanodes = new ArrayList<>();

    /** Of the datanodes, in their order: where they take data. */
    private final List<String> dataAddresses = new ArrayList<>();

    private final Optional<Disks> disks;
    private final List<String> options;

    private Hdfs(Workplace at, Scheduler scheduler, int datanodesWanted, boolean ownDisks, List<String> options)
            throws IOException, InterruptedException {
        this.at = at;
        this.scheduler = scheduler;
        this.datanodesWanted = datanodesWanted;
        this.options = List.copyOf(options);
        List<String> ports = Ports.free(1 + 2 * datanodesWanted);
        this.address = ports.get(0);
        this.nameNode = new Seat(() -> run("namenode", 384, List.of(HdfsMain.NAME_NODE, path("namenode"), address)));
        // A datanode that finds nobody comes back only after fifteen seconds.
        awaitThat(this::isServed);
        this.disks = ownDisks
                ? Disks.mount(IntStream.range(0, datanodesWanted)
                        .mapToObj(i -> Path.of(path("datanode-" + i)))
                        .toList())
                : Optional.empty();
        for (int i = 0; i < datanodesWanted; i++) {
            String name = "datanode-" + i;
            String data = ports.get(1 + 2 * i);
            String calls = ports.get(2 + 2 * i);
            dataAddresses.add(data);
            datanodes.add(new Seat(() -> run(name, 192, List.of(HdfsMain.DATANODE, path(name), address, data, calls))));
        }
    }

    /** Returns when it serves with all its datanodes. {@code options} are more of their JVMs. */
    static Hdfs start(Workplace at, Scheduler scheduler, int datanodes, boolean ownDisks, List<String> options)
            throws IOException, InterruptedException {
        Hdfs started = new Hdfs(at, scheduler, datanodes, ownDisks, options);
        started.awaitWhole();
        return started;
    }

    /** {@code hdfs://host:port}. */
    public String uri() {
        return "hdfs://" + address;
    }

    public Seat nameNode() {
        return nameNode;
    }

    public List<Seat> datanodes() {
        return List.copyOf(datanodes);
    }

    /** Where a datanode keeps its blocks. */
    public Path directory(Seat datanode) {
        return at.directory().resolve(datanode.process().name());
    }

    /** The datanode that most of the files are on that are being written below a directory, which is a URI. */
    public JavaProcess mostWritten(String directory) throws IOException {
        int[] files = new int[datanodes.size()];
        try (DistributedFileSystem client = client()) {
            RemoteIterator<LocatedFileStatus> found = client.listFiles(new org.apache.hadoop.fs.Path(directory), true);
            while (found.hasNext()) {
                for (String address : openBlockOf(found.next(), client)) {
                    int datanode = dataAddresses.indexOf(address);
                    if (datanode >= 0) {
                        files[datanode]++;
                    }
                }
            }
        }
        int most = IntStream.range(0, files.length)
                .reduce((one, other) -> files[other] > files[one] ? other : one)
                .orElseThrow();
        return datanodes.get(most).process();
    }

    /** Where the block is that is being written; nowhere if none is. */
    private static List<String> openBlockOf(LocatedFileStatus file, DistributedFileSystem client) throws IOException {
        LocatedBlocks blocks =
                client.getClient().getLocatedBlocks(file.getPath().toUri().getPath(), 0, Long.MAX_VALUE);
        LocatedBlock last = blocks.getLastLocatedBlock();
        return !blocks.isUnderConstruction() || last == null
                ? List.of()
                : Arrays.stream(last.getLocations())
                        .map(datanode -> datanode.getXferAddr())
                        .toList();
    }

    /** Returns when the NameNode serves, and has heard of every datanode since it was started. */
    public void awaitWhole() throws InterruptedException, UnavailableException {
        awaitThat(this::isWhole);
    }

    /**
     * The same, and has heard of each from now on: one that is gone, or hangs, counts as living for ten minutes, so who starts or
     * resumes one waits for this.
     */
    public void awaitHeard() throws InterruptedException, UnavailableException {
        long now = scheduler.clock().micros() / 1_000;
        awaitThat(() -> isWhole(now));
    }

    private void awaitThat(BooleanSupplier isSo) throws InterruptedException, UnavailableException {
        Deadline deadline = Deadline.after(scheduler.clock(), START_MILLIS);
        while (!isSo.getAsBoolean()) {
            nameNode.process().checkAlive();
            for (Seat datanode : datanodes) {
                datanode.process().checkAlive();
            }
            if (deadline.isOver()) {
                throw new UnavailableException(
                        "hdfs: not whole after " + START_MILLIS + " ms: see the logs in " + at.directory(),
                        Outcome.NOT_APPLIED);
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    private boolean isServed() {
        try (DistributedFileSystem files = client()) {
            return !files.isInSafeMode();
        } catch (IOException notYet) {
            return false;
        }
    }

    private boolean isWhole() {
        return isWhole(0);
    }

    private boolean isWhole(long heardAfterMillis) {
        try (DistributedFileSystem files = client()) {
            DatanodeInfo[] living = files.getDataNodeStats(DatanodeReportType.LIVE);
            return !files.isInSafeMode()
                    && living.length == datanodesWanted
                    && Arrays.stream(living).allMatch(datanode -> datanode.getLastUpdate() > heardAfterMillis);
        } catch (IOException notYet) {
            return false;
        }
    }

    /** A client of its own, that neither tries again nor waits for long. */
    public DistributedFileSystem client() throws IOException {
        Configuration settings = new HdfsConfiguration();
        settings.set("ipc.client.connect.max.retries", "0");
        settings.set("ipc.client.rpc-timeout.ms", "5000");
        settings.set("fs.automatic.close", "false");
        return (DistributedFileSystem) FileSystem.newInstance(URI.create(uri()), settings);
    }

    /** Whether the datanodes' disks can be filled. */
    public boolean hasOwnDisks() {
        return disks.isPresent();
    }

    /** Whether somebody has taken what was left of one of them. */
    public boolean hasFullDisk() throws IOException {
        return disks.isPresent() && disks.get().hasFull();
    }

    /** Whether the NameNode, which serves, knows of no datanode with room for another block. */
    public boolean hasNoRoom() throws IOException {
        try (DistributedFileSystem files = client()) {
            long blockBytes = files.getDefaultBlockSize(new org.apache.hadoop.fs.Path("/"));
            DatanodeInfo[] living = files.getDataNodeStats(DatanodeReportType.LIVE);
            return !files.isInSafeMode()
                    && living.length > 0
                    && Arrays.stream(living).allMatch(datanode -> datanode.getRemaining() < blockBytes);
        }
    }

    /** From now on none of them takes more than a few bytes. */
    public void fillDisks() throws IOException, InterruptedException {
        if (disks.isPresent()) {
            disks.get().fill();
        }
    }

    public void freeDisks() throws IOException, InterruptedException {
        if (disks.isPresent()) {
            disks.get().free();
        }
    }

    void kill() throws InterruptedException, UnavailableException {
        for (Seat datanode : datanodes) {
            datanode.kill();
        }
        nameNode.kill();
        disks.ifPresent(Disks::unmount);
    }

    private JavaProcess run(String name, int heapMegabytes, List<String> words) throws IOException {
        List<String> main = new ArrayList<>(List.of(HdfsMain.class.getName()));
        main.addAll(words);
        List<String> all = new ArrayList<>(List.of("-Xmx" + heapMegabytes + "m", "-XX:+UseSerialGC"));
        all.addAll(options);
        return JavaProcess.start(
                name, at, all, ProcessBuilder.Redirect.appendTo(at.log(name).toFile()), main);
    }

    /** Not made: a NameNode formats what is not there. */
    private String path(String name) {
        return at.directory().resolve(name).toString();
    }
}
