package bt.base;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The machine's clock. */
enum SystemClock implements Clock {
    INSTANCE;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Override
    public long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
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
