package bt.coord;

import bt.base.Bytes;

/**
 * A file of the lock service: its content, the version that {@link LockService#write} wants (0 when new, one more with
 * every write), the transaction that created it (rises over the whole service: an epoch), and that transaction's or the
 * last write's time by the service's own clock.
 */
public record SmallFile(Bytes content, long version, long createdTransaction, long modifiedMicros) {}
