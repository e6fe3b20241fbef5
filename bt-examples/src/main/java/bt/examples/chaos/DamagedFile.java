package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.UnavailableException;
import bt.examples.cluster.Hdfs;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.Seat;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * A byte of the archive's file is changed in every replica, and the tablet moved, so that nobody remembers how it was; then it
 * is read. Whoever is answered is answered what was written. When it is over each byte is what it was.
 */
final class DamagedFile implements Fault {
    private static final long PAUSE_MILLIS = 200;

    private final List<Damage> damages = new ArrayList<>();
    private volatile boolean over;
    private volatile boolean told;
    private @Nullable Watch met;

    /** One byte of one file of a datanode. */
    private record Damage(java.nio.file.Path block, long at, int was) {
        static Damage inflict(java.nio.file.Path block) throws IOException {
            try (RandomAccessFile file = new RandomAccessFile(block.toFile(), "rw")) {
                // Blocks of data come first in an SSTable, its index last.
                long at = file.length() / 3;
                file.seek(at);
                int was = file.read();
                file.seek(at);
                file.write(was ^ 1);
                return new Damage(block, at, was);
            }
        }

        void undo() throws IOException {
            try (RandomAccessFile file = new RandomAccessFile(block.toFile(), "rw")) {
                file.seek(at);
                file.write(was);
            }
        }
    }

    @Override
    public String begin(Stage stage, Strike strike) throws IOException {
        Hdfs hdfs = stage.cluster().hdfs();
        try (DistributedFileSystem files = hdfs.client()) {
            Path path = largest(stage, files);
            long id = files.getClient()
                    .getLocatedBlocks(path.toUri().getPath(), 0)
                    .get(0)
                    .getBlock()
                    .getBlockId();
            for (Seat datanode : hdfs.datanodes()) {
                try (Stream<java.nio.file.Path> all = Files.walk(hdfs.directory(datanode))) {
                    List<java.nio.file.Path> blocks = all.filter(
                                    file -> file.getFileName().toString().equals("blk_" + id))
                            .toList();
                    for (java.nio.file.Path block : blocks) {
                        damages.add(Damage.inflict(block));
                    }
                }
            }
            if (damages.isEmpty()) {
                throw new UnavailableException(path + ": no datanode has its block", Outcome.NOT_APPLIED);
            }
            String file = path.toUri().getPath();
            long before = meetings(stage, file);
            met = Watch.start("damaged file", stage.scheduler(), () -> meetings(stage, file) > before);
            stage.cluster().scheduler().start("reader of the archive", () -> read(stage, strike));
            return damages.size() + " replicas of " + file;
        }
    }

    private static Path largest(Stage stage, DistributedFileSystem files) throws IOException {
        long id = stage.cluster().bigtable().table(Archive.TABLE).schema().id();
        Optional<LocatedFileStatus> largest = Optional.empty();
        RemoteIterator<LocatedFileStatus> all =
                files.listFiles(new Path(stage.cluster().root() + "/data/" + id), true);
        while (all.hasNext()) {
            LocatedFileStatus next = all.next();
            if (largest.isEmpty() || next.getLen() > largest.get().getLen()) {
                largest = Optional.of(next);
            }
        }
        return largest.orElseThrow(() -> new UnavailableException("the archive has no file yet", Outcome.NOT_APPLIED))
                .getPath();
    }

    private void read(Stage stage, Strike strike) throws InterruptedException {
        Strike next = strike;
        boolean moved = false;
        while (!over) {
            try {
                if (!moved) {
                    move(stage, Victim.TABLET_SERVER.find(stage.cluster(), next));
                    moved = true;
                }
                Archive.read(stage.cluster().bigtable()).ifPresent(stage.tally()::anomaly);
                // Whoever serves remembers how it was, as one does to which it was moved and that had it already.
                moved = false;
                next = next.again();
            } catch (CorruptionException damaged) {
                told = true;
            } catch (BigtableException notNow) {
                // Other things happen too.
            }
            stage.cluster().scheduler().pause(PAUSE_MILLIS);
        }
    }

    private static void move(Stage stage, JavaProcess to) throws BigtableException {
        Bytes row = Bytes.utf8("page");
        stage.cluster()
                .bigtable()
                .admin()
                .moveTablet(Archive.TABLE, row, stage.cluster().addressOf(to));
    }

    /** A client was told of the damage, or a server has seen it, which the client may not learn before it gives up. */
    @Override
    public boolean isFelt(Stage stage) {
        return told || (met != null && met.hasSeen());
    }

    /**
     * How often tablet servers have met a replica of the file that is damaged: what HDFS's client tells its log. It tells the NameNode
     * nothing where all are, and the server that the block is missing, which it may be for other reasons too.
     */
    private static long meetings(Stage stage, String file) throws IOException {
        java.nio.file.Path logs = stage.cluster().directory().resolve("logs");
        long meetings = 0;
        try (DirectoryStream<java.nio.file.Path> servers = Files.newDirectoryStream(logs, "tabletserver-*")) {
            for (java.nio.file.Path log : servers) {
                try (Stream<String> lines = Files.lines(log)) {
                    meetings += lines.filter(line -> line.contains("checksum exception for " + file + " "))
                            .count();
                }
            }
        }
        return meetings;
    }

    @Override
    public void end(Stage stage) throws IOException {
        over = true;
        if (met != null) {
            met.end();
        }
        for (Damage damage : damages) {
            damage.undo();
        }
    }
}
