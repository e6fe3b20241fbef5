package bt.coord;

import bt.base.Bytes;
import bt.base.RejectedException;

/**
 * A file of the lock service: its content, the version that {@link LockService#write} wants (0 when new, one more with
 * every write), the transaction that created it (rises over the whole service: an epoch), and that transaction's or the
 * last write's time by the service's own clock.
 */
public record SmallFile(Bytes content, long version, long createdTransaction, long modifiedMicros) {
    /** What is larger is no small file: ZooKeeper closes the connection of whoever sends a mebibyte. */
    public static final int MAX_BYTES = 1_000_000;

    public static void checkLength(String path, Bytes content) throws RejectedException {
        if (content.length() > MAX_BYTES) {
            throw new RejectedException(
                    path + ": " + content.length() + " bytes are no small file, the most is " + MAX_BYTES,
                    "keep less in it");
        }
    }
}
