package bt.examples.recovery;

import bt.base.BigtableException;

/** What a {@link Probe} does again and again at one tablet. */
interface Chore {
    /** Once; the numbers are 1, 2 and so on. Fails when the tablet has refused for as long as a client tries. */
    void carryOut(long number) throws BigtableException;

    /** After the last time: how many acknowledged writes were not read back, then or now. */
    long lostWrites() throws BigtableException;
}
