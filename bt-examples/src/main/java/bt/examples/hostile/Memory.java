package bt.examples.hostile;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Objects;

/** What this JVM holds: objects that are reachable, and bytes outside the heap. */
record Memory(long heapBytes, long directBytes) {
    static final Memory NONE = new Memory(0, 0);
    private static final int COLLECTIONS = 3;

    /** After so many collections that what only waits for another is gone. */
    static Memory settled() {
        for (int i = 1; i < COLLECTIONS; i++) {
            collected();
        }
        return collected();
    }

    /** As the collection that it asks for left it: what others have asked for since is no part of it, however long we wait. */
    @SuppressWarnings("GarbageCollection")
    static Memory collected() {
        System.gc();
        long heap = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                MemoryUsage left = Objects.requireNonNullElseGet(pool.getCollectionUsage(), pool::getUsage);
                heap += left.getUsed();
            }
        }
        return new Memory(heap, nowDirect());
    }

    /** Outside the heap alone, which costs next to nothing. */
    static Memory direct() {
        return new Memory(0, nowDirect());
    }

    /** The greater of each. */
    Memory peak(Memory other) {
        return new Memory(Math.max(heapBytes, other.heapBytes), Math.max(directBytes, other.directBytes));
    }

    private static long nowDirect() {
        long direct = Math.max(0, PlatformDependent.usedDirectMemory());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            direct += Math.max(0, pool.getMemoryUsed());
        }
        return direct;
    }
}
