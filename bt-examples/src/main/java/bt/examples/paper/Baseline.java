package bt.examples.paper;

import java.util.Arrays;
import java.util.Optional;

/** What workloads are held against, measured in the same run: HDFS alone, which lies below, and bt's network alone. */
public enum Baseline {
    /**
     * One writer of one file, which appends rows and has them flushed (or synced, as the workloads ask): as many at once as the
     * commit logs of the workload before it had in a batch, on the average. An operation is a row; how long it took, its flush.
     */
    APPEND("hdfs append", Workload.RANDOM_WRITE),
    /** The same with as many as there are in a batch where clients batch, too. */
    APPEND_BATCHED("hdfs append (batched)", Workload.SEQUENTIAL_WRITE_BATCHED),
    /** Positional reads of a block of 64 KB by chance, by as many callers. An operation is a read. */
    READ("hdfs read", Workload.RANDOM_READ_TCP),
    /** The same of 8 KB: a piece, which is what a server reads of a block that it knows. */
    READ_PIECE("hdfs read (8 KB)", Workload.RANDOM_READ_TCP),
    /** Gets by as many callers, answered with 1,000 bytes by a server that has nothing behind its port: {@link EchoTrial}. */
    ECHO("rpc echo", Workload.RANDOM_READ_MEM);

    private final String label;
    private final Workload follows;

    Baseline(String label, Workload follows) {
        this.label = label;
        this.follows = follows;
    }

    /** As it is called in reports. */
    public String label() {
        return label;
    }

    /** The workload behind which it is measured: the machine is in the same mood then. */
    public Workload follows() {
        return follows;
    }

    /** Whether it repeats what the logs did in the workload that it follows. */
    public boolean isOfLogs() {
        return this == APPEND || this == APPEND_BATCHED;
    }

    /** By its label. */
    public static Optional<Baseline> find(String label) {
        return Arrays.stream(values()).filter(work -> work.label.equals(label)).findFirst();
    }
}
