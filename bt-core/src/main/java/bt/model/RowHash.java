package bt.model;

import bt.base.Bytes;

/** Where a row lies among all rows, if they are shuffled. The same in every version of bt: samples are compared over time. */
final class RowHash {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final double STEPS = 0x1p53;

    private RowHash() {}

    /** From 0, included, to 1, excluded. */
    static double share(Bytes row) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < row.length(); i++) {
            hash = (hash ^ (row.at(i) & 0xff)) * FNV_PRIME;
        }
        // FNV leaves the high bits of short keys alike, and these are the ones that count here.
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return ((hash ^ (hash >>> 33)) >>> 11) / STEPS;
    }
}
