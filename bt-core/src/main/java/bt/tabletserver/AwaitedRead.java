package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.protocol.Caller;
import bt.sstable.ReadWork;

/**
 * The terms of a read that may wait, for as long as somebody waits for it, and while there is room for what it holds; its pool is told
 * that it gets on. One thread.
 */
record AwaitedRead(Caller caller, Clock clock, ReadRoom.Hold room, ReadPool pool) implements ReadWork.Terms {
    /** Within a millisecond it is known that nobody waits any more. */
    static final long STEPS_BETWEEN_LOOKS = 4_000;

    @Override
    public long more() throws BigtableException {
        look();
        return STEPS_BETWEEN_LOOKS;
    }

    @Override
    public void beforeWaiting() throws BigtableException {
        look();
    }

    private void look() throws BigtableException {
        long now = clock.nanos();
        pool.getsOn(now);
        caller.checkWaits(now);
    }

    @Override
    public void hold(long bytes) throws BigtableException {
        room.take(bytes);
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }
}
