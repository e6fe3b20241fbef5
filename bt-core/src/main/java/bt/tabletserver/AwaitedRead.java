package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.protocol.Caller;
import bt.sstable.ReadWork;

/** The terms of a read that may wait, for as long as somebody waits for it. One thread. */
record AwaitedRead(Caller caller, Clock clock) implements ReadWork.Terms {
    /** Within a millisecond it is known that nobody waits any more. */
    private static final long BYTES_BETWEEN_LOOKS = 128 << 10;

    @Override
    public long more() throws BigtableException {
        caller.checkWaits(clock.nanos());
        return BYTES_BETWEEN_LOOKS;
    }

    @Override
    public void beforeWaiting() throws BigtableException {
        caller.checkWaits(clock.nanos());
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }
}
