package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.examples.cluster.Hdfs;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.Seat;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A byte of the archive's file is changed in every replica, and the tablet moved, so that nobody remembers how it was; then it
 * is read. Whoever is answered is answered what was written. When it is over each byte is what it was.
 */
final class DamagedFile implements Fault {
    private static final long PAUSE_MILLIS = 200;

    private final List<Damage> damages = new ArrayList<>();
    private volatile boolean over;

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
            stage.cluster().scheduler().start("reader of the archive", () -> read(stage, strike));
            return damages.size() + " replicas of " + path.toUri().getPath();
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
        boolean moved = false;
        while (!over) {
            try {
                if (!moved) {
                    JavaProcess to = Victim.TABLET_SERVER.find(stage.cluster(), strike);
                    stage.cluster()
                            .bigtable()
                            .admin()
                            .moveTablet(
                                    Archive.TABLE,
                                    Bytes.utf8("page"),
                                    stage.cluster().addressOf(to));
                    moved = true;
                }
                Archive.read(stage.cluster().bigtable()).ifPresent(stage.tally()::anomaly);
            } catch (BigtableException damaged) {
                // CORRUPTION is right, and while other things happen so is UNAVAILABLE.
            }
            stage.cluster().scheduler().pause(PAUSE_MILLIS);
        }
    }

    @Override
    public void end(Stage stage) throws IOException {
        over = true;
        for (Damage damage : damages) {
            damage.undo();
        }
    }
}
