package bt.examples.chaos;

import bt.base.BigtableException;

/** A client that works until it is told to stop, and afterwards says what it finds. One worker; then one other thread. */
interface Chore {
    String name();

    /** One thing more; whether the cluster did it, or told what is there. */
    boolean step() throws InterruptedException;

    /** Compares what is there with what was told, once everything answers and no chore works any more. */
    void check() throws BigtableException, InterruptedException;
}
