package bt.base;

/** How large a piece bytes are read, sent and answered in where there are many of them. */
public final class HeapPiece {
    /**
     * G1 lays an array of half a region or more apart from all others, and most of these allocations begin a collection.
     * Its smallest regions, those of heaps below 4 GiB, have 1 MiB.
     */
    public static final int BYTES = 448 << 10;

    private HeapPiece() {}
}
