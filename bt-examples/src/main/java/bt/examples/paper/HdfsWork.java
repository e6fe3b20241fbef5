package bt.examples.paper;

import java.util.Arrays;
import java.util.Optional;

/** What lies below the workloads, measured in the same run: HDFS alone, without bt. */
public enum HdfsWork {
    /**
     * One writer of one file, which appends rows and has them flushed (or synced, as the workloads ask): half as many at once as
     * there are callers, for of the two batches of a commit log that are under way one has the rows of every other caller that
     * waits for each of his. An operation is a row; how long it took, its flush.
     */
    APPEND("hdfs append", Workload.RANDOM_WRITE),
    /** Positional reads of 64 KB by chance, by as many callers. An operation is a read. */
    READ("hdfs read", Workload.RANDOM_READ_TCP);

    private final String label;
    private final Workload follows;

    HdfsWork(String label, Workload follows) {
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

    /** By its label. */
    public static Optional<HdfsWork> find(String label) {
        return Arrays.stream(values()).filter(work -> work.label.equals(label)).findFirst();
    }
}
