package bt.sstable;

import com.github.benmanes.caffeine.cache.Cache;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What look-ups have read: first it is among the newest, which leave in the order of their last use; then it competes with
 * what is used most. Without the newest, a block that somebody goes through row by row would be weighed against those of
 * years when its second row is still to come, be refused, and be read again for it. Any thread.
 */
final class LookUps {
    /** The newest have such a part. */
    private static final int PART_OF_NEWEST = 8;

    private final Cache<BlockKey, Cached> mostUsed;
    private final long maxNewestBytes;

    @GuardedBy("newest") private final Map<BlockKey, Cached> newest = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("newest") private long newestBytes;

    LookUps(long maxBytes) {
        maxNewestBytes = maxBytes / PART_OF_NEWEST;
        mostUsed = BlockCache.ofWeight(maxBytes - maxNewestBytes);
    }

    @Nullable Cached get(BlockKey key) {
        Cached found = mostUsed.getIfPresent(key);
        if (found != null) {
            return found;
        }
        synchronized (newest) {
            return newest.get(key);
        }
    }

    /** Without being a use of it. */
    boolean has(BlockKey key) {
        if (mostUsed.policy().getIfPresentQuietly(key) != null) {
            return true;
        }
        synchronized (newest) {
            return newest.containsKey(key);
        }
    }

    void put(BlockKey key, Cached part) {
        if (part.bytes() > maxNewestBytes || mostUsed.policy().getIfPresentQuietly(key) != null) {
            mostUsed.put(key, part);
            return;
        }
        // Not under the lock, which event loops wait for: each may begin the maintenance of the whole cache. Who asks
        // for one meanwhile reads it again.
        for (Leaver leaver : putAmongNewest(key, part)) {
            mostUsed.put(leaver.key(), leaver.part());
        }
    }

    private record Leaver(BlockKey key, Cached part) {}

    /** Those that have no place any more among the newest. */
    private List<Leaver> putAmongNewest(BlockKey key, Cached part) {
        synchronized (newest) {
            Cached before = newest.put(key, part);
            newestBytes += part.bytes() - (before == null ? 0 : before.bytes());
            if (newestBytes <= maxNewestBytes) {
                return List.of();
            }
            List<Leaver> leavers = new ArrayList<>();
            for (Iterator<Map.Entry<BlockKey, Cached>> oldest =
                            newest.entrySet().iterator();
                    newestBytes > maxNewestBytes; ) {
                Map.Entry<BlockKey, Cached> leaves = oldest.next();
                leavers.add(new Leaver(leaves.getKey(), leaves.getValue()));
                oldest.remove();
                newestBytes -= leaves.getValue().bytes();
            }
            return leavers;
        }
    }

    /** The newest keep their part. */
    void setMaxBytes(long maxBytes) {
        mostUsed.policy().eviction().ifPresent(eviction -> eviction.setMaximum(maxBytes - maxNewestBytes));
    }

    long bytes() {
        synchronized (newest) {
            return newestBytes + BlockCache.weight(mostUsed);
        }
    }
}
