package bt.examples.hostile;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** What this JVM holds: objects that are reachable, and bytes outside the heap. */
record Memory(long heapBytes, long directBytes) {
    private static final int COLLECTIONS = 3;

    /** After a collection. */
    @SuppressWarnings("GarbageCollection")
    static Memory now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long direct = Math.max(0, PlatformDependent.usedDirectMemory());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            direct += Math.max(0, pool.getMemoryUsed());
        }
        return new Memory(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), direct);
    }
}
