package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.examples.cluster.Hdfs;
import bt.examples.cluster.Seat;
import bt.fs.FileReader;
import bt.fs.hadoop.HadoopFileStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * A bit of every block that the first datanode has finished is flipped on its disk, where another datanode has the same block as it was:
 * of one that full disks and dead datanodes have left it alone with, nobody could be served. Who reads there is served from another. It
 * stays so: with three datanodes HDFS has no place for another.
 */
final class DamagedReplica implements Fault {
    private static final long LEAST_BYTES = 64;
    private static final Pattern META = Pattern.compile("(blk_[0-9]+)_[0-9]+\\.meta");

    private @Nullable Watch met;

    /** A finished replica: its generation is in the name of its checksums. */
    private record Replica(String meta, long bytes) {}

    @Override
    public String begin(Stage stage, Strike strike) throws IOException {
        Hdfs hdfs = stage.cluster().hdfs();
        List<Seat> datanodes = hdfs.datanodes();
        Set<Replica> elsewhere = new HashSet<>();
        for (Seat datanode : datanodes.subList(1, datanodes.size())) {
            elsewhere.addAll(finished(hdfs.directory(datanode)).keySet());
        }
        // Always the same one, or in time there could be a block without a sound replica.
        Map<Replica, Path> blocks = finished(hdfs.directory(datanodes.get(0)));
        blocks.keySet().retainAll(elsewhere);
        if (blocks.isEmpty()) {
            throw new UnavailableException(
                    "the first datanode has no blocks that another has too", Outcome.NOT_APPLIED);
        }
        Rise known = new Rise(knownDamages(hdfs));
        for (Path block : blocks.values()) {
            flip(block, strike.roll());
        }
        met = Watch.start("damaged replicas", stage.scheduler(), () -> isMet(stage, known));
        return "a bit in each of " + blocks.size() + " blocks of datanode-0";
    }

    private static Map<Replica, Path> finished(Path directory) throws IOException {
        Map<Replica, Path> blocks = new HashMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(file -> file.toString().contains("/finalized/")).forEach(file -> {
                Matcher meta = META.matcher(file.getFileName().toString());
                if (meta.matches()) {
                    Path block = file.resolveSibling(meta.group(1));
                    long bytes = block.toFile().length();
                    if (bytes >= LEAST_BYTES) {
                        blocks.put(new Replica(meta.group(), bytes), block);
                    }
                }
            });
        } catch (UncheckedIOException changing) {
            // The datanode is at work: what was found so far is enough.
        }
        return blocks;
    }

    private static void flip(Path block, int roll) throws IOException {
        if (!Files.exists(block)) {
            return;
        }
        try (RandomAccessFile file = new RandomAccessFile(block.toFile(), "rw")) {
            long at = Math.floorMod((long) roll * 31, Math.max(1, file.length()));
            file.seek(at);
            int was = file.read();
            file.seek(at);
            file.write(was ^ 1 << roll % 8);
        }
    }

    /**
     * How many blocks have a replica that somebody has read and found damaged. Which they are, while another replica is sound, the
     * NameNode tells no client; it forgets those of files that are deleted, and all when it is started again.
     */
    private static long knownDamages(Hdfs hdfs) throws IOException {
        try (DistributedFileSystem files = hdfs.client()) {
            return files.getCorruptBlocksCount();
        }
    }

    /** Reads what servers do, as they do, for what they have in memory they do not read; then asks whether one of them met damage. */
    private static boolean isMet(Stage stage, Rise known) throws IOException {
        Hdfs hdfs = stage.cluster().hdfs();
        String root = stage.cluster().root();
        try (HadoopFileStore store = HadoopFileStore.open(root, Map.of(), stage.scheduler());
                DistributedFileSystem files = hdfs.client()) {
            RemoteIterator<LocatedFileStatus> all =
                    files.listFiles(new org.apache.hadoop.fs.Path(root + "/data"), true);
            while (all.hasNext()) {
                read(store, all.next().getPath().toString().substring(root.length() + 1));
            }
        }
        return known.hasRisen(knownDamages(hdfs));
    }

    private static void read(HadoopFileStore store, String path) {
        try (FileReader file = store.open(path)) {
            byte[] bytes = new byte[Math.toIntExact(file.length())];
            file.readFully(0, bytes, 0, bytes.length);
        } catch (BigtableException gone) {
            // By now it is of no use, or nobody has it for the moment.
        }
    }

    /** Somebody read a damaged replica, saw it, and told the NameNode. */
    @Override
    public boolean isFelt(Stage stage) {
        return met != null && met.hasSeen();
    }

    @Override
    public void end(Stage stage) {
        if (met != null) {
            met.end();
        }
    }
}
