package bt.examples.paper;

import bt.model.TableSchema.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** {@link HdfsWork} by this process, in a directory of its own, which goes with it. One thread. */
final class HdfsTrial implements AutoCloseable {
    private static final Path DIRECTORY = new Path("/hdfs-trial");
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int FILES = 4;

    private final FileSystem files;
    private final List<Long> datanodes;
    private final Measurement.Load load;
    private final byte[] row = new byte[Rows.VALUE_BYTES];

    private HdfsTrial(FileSystem files, List<Long> datanodes, Measurement.Load load) {
        this.files = files;
        this.datanodes = datanodes;
        this.load = load;
        new SplittableRandom(0).nextBytes(row);
    }

    static HdfsTrial at(Configuration hdfs, List<Long> datanodes, Measurement.Load load) throws IOException {
        return new HdfsTrial(FileSystem.newInstance(hdfs), datanodes, load);
    }

    /** Half of the time to warm up, half of it measured. */
    Measured run(HdfsWork work, double seconds) throws Exception {
        return switch (work) {
            case APPEND -> append(seconds / 2);
            case READ -> read(seconds / 2);
        };
    }

    private Measured append(double seconds) throws Exception {
        int batch = Math.max(1, load.clients() / 2);
        try (FSDataOutputStream file = files.create(new Path(DIRECTORY, "appended"))) {
            return measure(HdfsWork.APPEND, 1, batch, seconds, (end, latencies) -> {
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
    private Measured read(double seconds) throws Exception {
        long blocks = Math.max(1, load.rows() * row.length / FILES / BLOCK_BYTES);
        List<FSDataInputStream> streams = new ArrayList<>();
        try {
            for (int i = 0; i < FILES; i++) {
                Path path = new Path(DIRECTORY, "read-" + i);
                write(path, blocks);
                streams.add(files.open(path));
            }
            return measure(HdfsWork.READ, load.clients(), 1, seconds, (end, latencies) -> {
                byte[] block = new byte[BLOCK_BYTES];
                ThreadLocalRandom random = ThreadLocalRandom.current();
                while (System.nanoTime() - end < 0) {
                    long began = System.nanoTime();
                    streams.get(random.nextInt(FILES))
                            .readFully(random.nextLong(blocks) * BLOCK_BYTES, block, 0, BLOCK_BYTES);
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

    private Measured measure(HdfsWork work, int threads, int rows, double seconds, Callers.Job job) throws Exception {
        Histogram unused = Callers.run(threads, seconds, job);
        Callers.Trial trial = Callers.measure(threads, seconds, datanodes, job);
        return new Measured(
                work.label(),
                trial.latencies().getTotalCount() * rows,
                trial.seconds(),
                trial.latencies(),
                ProcessUse.ofCpu(trial.cpuHere()),
                Optional.empty(),
                Optional.of(ProcessUse.ofCpu(trial.cpuThere())));
    }

    @Override
    public void close() throws IOException {
        try (files) {
            boolean unused = files.delete(DIRECTORY, true);
        }
    }
}
