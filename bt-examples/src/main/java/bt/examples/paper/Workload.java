package bt.examples.paper;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/** What is measured (section 7 of the paper), in an order in which each finds the data that it needs. */
public enum Workload {
    SEQUENTIAL_WRITE("sequential write", Action.WRITE, Keys.SEQUENTIAL, Ground.EMPTY, 8_547),
    RANDOM_WRITE("random write", Action.WRITE, Keys.RANDOM, Ground.EMPTY, 8_850),
    SEQUENTIAL_WRITE_BATCHED("sequential write (batched)", Action.BATCH, Keys.SEQUENTIAL, Ground.EMPTY, 0),
    SEQUENTIAL_READ_TCP("sequential read (tcp)", Action.READ, Keys.SEQUENTIAL, Ground.FILES, 4_425),
    SCAN_TCP("scan (tcp)", Action.SCAN, Keys.SEQUENTIAL, Ground.FILES, 15_385),
    RANDOM_READ_TCP("random read (tcp)", Action.READ, Keys.RANDOM, Ground.FILES, 1_212),
    RANDOM_READ_MEM("random read (mem)", Action.READ, Keys.RANDOM, Ground.MEMORY, 10_811),
    SCAN_MEM("scan (mem)", Action.SCAN, Keys.SEQUENTIAL, Ground.MEMORY, 0),
    SCAN_CACHE("scan (cache)", Action.SCAN, Keys.SEQUENTIAL, Ground.BLOCK_CACHE, 0),
    RANDOM_READ_SHORT_CIRCUIT("random read (short-circuit)", Action.READ, Keys.RANDOM, Ground.FILES, 1_212),
    SEQUENTIAL_READ("sequential read", Action.READ, Keys.SEQUENTIAL, Ground.LOCAL_CACHE, 4_425),
    SCAN("scan", Action.SCAN, Keys.SEQUENTIAL, Ground.LOCAL_CACHE, 15_385),
    RANDOM_READ("random read", Action.READ, Keys.RANDOM, Ground.LOCAL_CACHE, 1_212);

    private final String label;
    private final Action action;
    private final Keys keys;
    private final Ground ground;
    private final int paperRate;

    Workload(String label, Action action, Keys keys, Ground ground, int paperRate) {
        this.label = label;
        this.action = action;
        this.keys = keys;
        this.ground = ground;
        this.paperRate = paperRate;
    }

    /** What is done with a row. */
    enum Action {
        /** One acknowledged write a call. */
        WRITE,
        /** Writes through a {@link bt.client.BatchWriter}. */
        BATCH,
        READ,
        SCAN
    }

    /** Which row comes next. */
    enum Keys {
        SEQUENTIAL,
        /** Hashed, over the whole space of row keys. */
        RANDOM
    }

    /** What the rows are found on. */
    enum Ground {
        /** A new table. */
        EMPTY,
        /** Files of a table that is far larger than the block cache. */
        FILES,
        /** An in-memory locality group. */
        MEMORY,
        /** Files of a table that fits the block cache. */
        BLOCK_CACHE,
        /** As {@link #FILES}, with the servers' local cache. */
        LOCAL_CACHE
    }

    /** As it is called in reports. */
    public String label() {
        return label;
    }

    /** Where blocks are while it runs. */
    Below below() {
        return switch (this) {
            case RANDOM_READ_SHORT_CIRCUIT -> Below.DATANODE_FILE;
            case SEQUENTIAL_READ, SCAN, RANDOM_READ -> Below.LOCAL_CACHE;
            case SCAN_CACHE -> Below.BLOCK_CACHE;
            default -> Below.DATANODE;
        };
    }

    /** Whether its name says what is asked for blocks that are in no memory: nothing else may be. */
    boolean isOfOneWay() {
        return switch (this) {
            case SEQUENTIAL_READ_TCP, SCAN_TCP, RANDOM_READ_TCP, RANDOM_READ_SHORT_CIRCUIT -> true;
            default -> false;
        };
    }

    Action action() {
        return action;
    }

    Keys keys() {
        return keys;
    }

    Ground ground() {
        return ground;
    }

    boolean writes() {
        return action == Action.WRITE || action == Action.BATCH;
    }

    /** Whether an operation is one call for one row. */
    public boolean isOfOneRow() {
        return action == Action.WRITE || action == Action.READ;
    }

    public boolean isScan() {
        return action == Action.SCAN;
    }

    /** Whether its rows are in an in-memory locality group. */
    public boolean isInMemory() {
        return ground == Ground.MEMORY;
    }

    /** Whether all its blocks are in the block cache. */
    public boolean isOfBlockCache() {
        return ground == Ground.BLOCK_CACHE;
    }

    /** Whether it has a tenth of the rows, which memory has to hold. */
    public boolean isOfPart() {
        return isInMemory() || isOfBlockCache();
    }

    /** Whether servers read what they have copied to the local disk. */
    public boolean isOfLocalCache() {
        return ground == Ground.LOCAL_CACHE;
    }

    /** Values a second of one tablet server in figure 6 of the paper, where it has such a row. */
    public OptionalInt paperRate() {
        return paperRate == 0 ? OptionalInt.empty() : OptionalInt.of(paperRate);
    }

    /** By its label. */
    public static Optional<Workload> find(String label) {
        return Arrays.stream(values())
                .filter(workload -> workload.label.equals(label))
                .findFirst();
    }
}
