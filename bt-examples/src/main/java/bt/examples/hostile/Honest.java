package bt.examples.hostile;

import bt.base.Clock;
import bt.base.Scheduler;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A caller that does as it should: writes the next number into a row of its own, and reads it. One worker; others ask. */
final class Honest {
    private final String name;
    private final Calls calls;
    private final Clock clock;
    private final HostileTally tally;
    private volatile Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    Honest(String name, Calls calls, Clock clock, HostileTally tally) {
        this.name = name;
        this.calls = calls;
        this.clock = clock;
        this.tally = tally;
    }

    /** How it reaches the table. */
    interface Calls {
        void write(String value) throws Exception;

        String read() throws Exception;
    }

    /** Until {@link #stop}. */
    void run(Scheduler scheduler, long pauseMillis) throws InterruptedException {
        for (long number = 1; !stopped; number++) {
            String value = Long.toString(number);
            long began = clock.nanos();
            try {
                calls.write(value);
                String read = calls.read();
                if (!read.equals(value)) {
                    tally.anomaly(name + " wrote " + value + " and read " + read);
                }
            } catch (InterruptedException hurried) {
                throw hurried;
            } catch (Exception failed) {
                tally.anomaly(name + " failed: " + failed);
            }
            nanos.add(clock.nanos() - began);
            scheduler.pause(pauseMillis);
        }
    }

    void stop() {
        stopped = true;
    }

    /** Those since the last call. */
    Latency latency() {
        Queue<Long> then = nanos;
        nanos = new ConcurrentLinkedQueue<>();
        long[] sorted = then.stream().mapToLong(each -> each).sorted().toArray();
        return sorted.length == 0
                ? new Latency(0, 0, 0, 0)
                : new Latency(
                        sorted.length,
                        sorted[sorted.length / 2] / 1_000,
                        sorted[(int) (sorted.length * 0.99)] / 1_000,
                        sorted[sorted.length - 1] / 1_000);
    }

    /** Of a write and a read together. */
    record Latency(int count, long medianMicros, long p99Micros, long maxMicros) {}
}
