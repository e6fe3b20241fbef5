package bt.sstable;

/**
 * What a cache of blocks knows a block by. A path is written once, so what lies there does not change.
 *
 * @param piece of what begins there one of its pieces; {@link #WHOLE}: all of it
 */
record BlockKey(String path, long offset, int piece) {
    static final int WHOLE = -1;
}
