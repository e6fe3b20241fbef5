package bt.base;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;

/** The machine's clock. */
enum SystemClock implements Clock {
    INSTANCE;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Override
    public long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
