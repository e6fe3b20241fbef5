package bt.examples.chaos;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A bit of every block that the first datanode has finished is flipped on its disk; the other datanodes have theirs as they were. Who
 * reads there is served from another. It stays so: with three datanodes HDFS has no place for another.
 */
final class DamagedReplica implements Fault {
    private static final long LEAST_BYTES = 64;

    @Override
    public String begin(Stage stage, Strike strike) throws IOException {
        // Always the same one, or in time there could be a block without a sound replica.
        Path directory = stage.cluster()
                .hdfs()
                .directory(stage.cluster().hdfs().datanodes().get(0));
        List<Path> blocks = finished(directory);
        if (blocks.isEmpty()) {
            throw new UnavailableException("the first datanode has no blocks", Outcome.NOT_APPLIED);
        }
        for (Path block : blocks) {
            flip(block, strike.roll());
        }
        return "a bit in each of " + blocks.size() + " blocks of datanode-0";
    }

    private static List<Path> finished(Path directory) throws IOException {
        List<Path> blocks = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(file -> file.toString().contains("/finalized/"))
                    .filter(file -> file.getFileName().toString().matches("blk_[0-9]+"))
                    .filter(file -> file.toFile().length() >= LEAST_BYTES)
                    .forEach(blocks::add);
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

    @Override
    public void end(Stage stage) {}
}
