package bt.examples.paper;

import bt.model.TableSchema.Durability;

/**
 * Rows of 1,000 bytes and a little, blocking callers in each of some client processes, servers; how long a workload warms
 * up at least; how many operations of one row a second they do while it is measured, 0 for as many as they can.
 */
public record Load(
        long rows, int callers, int processes, Durability durability, int servers, double warmUpSeconds, long rate) {
    /** As in the paper: 1 GB a server, and 100 MB for what has to be in memory. */
    public static final int PART_IN_MEMORY = 10;

    public int clients() {
        return callers * processes;
    }

    Pace pace() {
        return rate == 0 ? Pace.FULL : Pace.ofRate((double) rate / clients());
    }

    long rowsOf(Workload workload) {
        return workload.isOfPart() ? Math.max(1, rows / PART_IN_MEMORY) : rows;
    }
}
