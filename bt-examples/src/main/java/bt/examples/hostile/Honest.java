package bt.examples.hostile;

import bt.base.Clock;
import bt.base.Scheduler;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A caller that does as it should, and is served: over one connection for a while, then over the next, for one that is open says
 * nothing of whether others still are let in. One worker; others ask.
 */
final class Honest {
    private static final int CALLS_A_CONNECTION = 200;

    private final String name;
    private final Door door;
    private final Clock clock;
    private final HostileTally tally;
    private volatile Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    Honest(String name, Door door, Clock clock, HostileTally tally) {
        this.name = name;
        this.door = door;
        this.clock = clock;
        this.tally = tally;
    }

    /** Where it goes. */
    interface Door {
        /** Over a connection that nobody else has. */
        Calls open() throws Exception;
    }

    /** What it does there. */
    interface Calls extends AutoCloseable {
        /** The value, if all is as it should be; else what there was in its place. */
        String echo(String value) throws Exception;

        @Override
        void close();
    }

    /** Until {@link #stop}. */
    void run(Scheduler scheduler, long pauseMillis) throws InterruptedException {
        long number = 0;
        while (!stopped) {
            try (Calls calls = door.open()) {
                for (int i = 0; i < CALLS_A_CONNECTION && !stopped; i++) {
                    call(calls, Long.toString(++number));
                    scheduler.pause(pauseMillis);
                }
            } catch (InterruptedException hurried) {
                throw hurried;
            } catch (Exception failed) {
                tally.anomaly("honest " + name + " failed: " + failed);
                scheduler.pause(pauseMillis);
            }
        }
    }

    private void call(Calls calls, String value) throws Exception {
        long began = clock.nanos();
        String echo = calls.echo(value);
        if (!echo.equals(value)) {
            tally.anomaly("honest " + name + " expected " + value + ", and there was " + echo);
        }
        nanos.add(clock.nanos() - began);
    }

    void stop() {
        stopped = true;
    }

    /** How many were answered since {@link #latency} was asked for. */
    int calls() {
        return nanos.size();
    }

    /** Of those since it was asked for last. */
    Latency latency() {
        Queue<Long> then = nanos;
        nanos = new ConcurrentLinkedQueue<>();
        long[] sorted = then.stream().mapToLong(each -> each).sorted().toArray();
        return sorted.length == 0
                ? Latency.NONE
                : new Latency(
                        sorted.length,
                        sorted[sorted.length / 2] / 1_000,
                        sorted[(int) (sorted.length * 0.99)] / 1_000,
                        sorted[sorted.length - 1] / 1_000);
    }

    /** Of what one does there, a write and a read for example. */
    record Latency(int count, long medianMicros, long p99Micros, long maxMicros) {
        static final Latency NONE = new Latency(0, 0, 0, 0);
    }
}
