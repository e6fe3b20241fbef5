package bt.tabletserver;

import bt.tablet.Frozen;
import bt.tablet.Tablet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tablets that hold memory and take no writes: on their way in, with what logs held of them, and on their way out, or being split,
 * with what is frozen. Until METADATA has said what becomes of them they keep it, which may be long; so it is of the memtables' share.
 * None need be taken out again: one that is closed, and has nothing that is to become a file, holds nothing. Of one commit queue.
 */
final class OnTheWay {
    private final Set<Tablet> coming = ConcurrentHashMap.newKeySet();

    /** The commit thread's. */
    private final Set<HostedTablet> leaving = new HashSet<>();

    /** It is being loaded. Any thread. */
    void comes(Tablet tablet) {
        coming.add(tablet);
    }

    /** It takes writes, for the first time or again. The commit thread. */
    void hasCome(HostedTablet tablet) {
        coming.remove(tablet.tablet());
        leaving.remove(tablet);
    }

    /** It takes no writes any more. The commit thread. */
    void leaves(HostedTablet tablet) {
        leaving.add(tablet);
    }

    /** What those hold that are being loaded. Any thread. */
    long bytesComing() {
        long bytes = 0;
        coming.removeIf(Tablet::isClosed);
        for (Tablet tablet : coming) {
            bytes += tablet.memtableBytes() + tablet.frozenBytes();
        }
        return bytes;
    }

    /** What those hold that have taken writes. The commit thread. */
    long bytesLeaving() {
        long bytes = 0;
        leaving.removeIf(
                tablet -> tablet.tablet().isClosed() && tablet.unwritten().isEmpty());
        for (HostedTablet tablet : leaving) {
            for (Frozen frozen : tablet.unwritten()) {
                bytes += frozen.bytes();
            }
        }
        return bytes;
    }
}
