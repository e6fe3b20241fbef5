package bt.examples.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process has used: monotonic time, CPU of all its threads, the collector's and those of native libraries too,
 * and bytes that live Java threads have allocated. What native code allocates is not seen.
 */
record Usage(long nanos, long cpuNanos, long allocatedBytes) {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    static Usage now() {
        long allocated = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            allocated += Math.max(0, bytes);
        }
        return new Usage(System.nanoTime(), SYSTEM.getProcessCpuTime(), allocated);
    }

    Usage since(Usage earlier) {
        return new Usage(nanos - earlier.nanos, cpuNanos - earlier.cpuNanos, allocatedBytes - earlier.allocatedBytes);
    }
}
