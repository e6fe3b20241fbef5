package bt.examples.paper;

import bt.model.TableSchema.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * HDFS without bt, used by this process, in a directory of its own, which goes with it. Every trial warms up for as many
 * seconds as it is measured. One thread.
 */
final class HdfsTrial implements AutoCloseable {
    private static final Path DIRECTORY = new Path("/hdfs-trial");
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int PIECE_BYTES = 8 << 10;
    private static final int FILES = 4;

    private final FileSystem files;
    private final List<Long> datanodes;
    private final Load load;
    private final byte[] row = new byte[Rows.VALUE_BYTES];

    private HdfsTrial(FileSystem files, List<Long> datanodes, Load load) {
        this.files = files;
        this.datanodes = datanodes;
        this.load = load;
        new SplittableRandom(0).nextBytes(row);
    }

    static HdfsTrial at(Configuration hdfs, List<Long> datanodes, Load load) throws IOException {
        return new HdfsTrial(FileSystem.newInstance(hdfs), datanodes, load);
    }

    /** So many rows a flush. */
    Measured append(Baseline work, int batch, double seconds) throws Exception {
        try (FSDataOutputStream file = files.create(new Path(DIRECTORY, "appended"))) {
            OptionalDouble rowsPerBatch = OptionalDouble.of(batch);
            return measure(work, 1, rowsPerBatch, seconds, (end, latencies) -> {
                while (System.nanoTime() - end < 0) {
                    long began = System.nanoTime();
                    for (int i = 0; i < batch; i++) {
                        file.write(row);
                    }
                    if (load.durability() == Durability.SYNC) {
                        file.hsync();
                    } else {
                        file.hflush();
                    }
                    latencies.recordValue(System.nanoTime() - began);
                }
            });
        }
    }

    /** Of as many bytes as the tablets of the workloads have, and as many files as those of one server; a file is read through one stream by all callers. */
    Measured read(Baseline work, double seconds) throws Exception {
        long blocks = Math.max(1, load.rows() * row.length / FILES / BLOCK_BYTES);
        int wanted = work == Baseline.READ_PIECE ? PIECE_BYTES : BLOCK_BYTES;
        long places = blocks * (BLOCK_BYTES / wanted);
        List<FSDataInputStream> streams = new ArrayList<>();
        try {
            for (int i = 0; i < FILES; i++) {
                Path path = new Path(DIRECTORY, "read-" + i);
                write(path, blocks);
                streams.add(files.open(path));
            }
            return measure(work, load.clients(), OptionalDouble.empty(), seconds, (end, latencies) -> {
                byte[] read = new byte[wanted];
                ThreadLocalRandom random = ThreadLocalRandom.current();
                while (System.nanoTime() - end < 0) {
                    long began = System.nanoTime();
                    streams.get(random.nextInt(FILES)).readFully(random.nextLong(places) * wanted, read, 0, wanted);
                    latencies.recordValue(System.nanoTime() - began);
                }
            });
        } finally {
            for (FSDataInputStream stream : streams) {
                stream.close();
            }
        }
    }

    private void write(Path path, long blocks) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (FSDataOutputStream file = files.create(path)) {
            for (long i = 0; i < blocks; i++) {
                file.write(block);
            }
        }
    }

    private Measured measure(Baseline work, int threads, OptionalDouble rowsPerBatch, double seconds, Callers.Job job)
            throws Exception {
        Histogram unused = Callers.run(threads, seconds, job);
        Callers.Trial trial = Callers.measure(threads, seconds, datanodes, job);
        long operations = trial.latencies().getTotalCount() * (long) rowsPerBatch.orElse(1);
        return Measured.of(work.label(), Measured.HDFS, threads, operations, trial, rowsPerBatch);
    }

    @Override
    public void close() throws IOException {
        try (files) {
            boolean unused = files.delete(DIRECTORY, true);
        }
    }
}
