package bt.rpc;

import bt.base.Clock;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When the calls of a connection are looked through for those whose time is over: at the earliest deadline that was heard of,
 * but no sooner than {@value #LEAST_MILLIS} ms after the look before. Nearly every call is answered long before, and costs no
 * more here than a comparison. In monotonic nanoseconds. The connection's event loop owns it.
 */
final class Expiry {
    /** By so much a call may end late. */
    static final int LEAST_MILLIS = 10;

    private final EventLoop loop;
    private final Clock clock;
    private final Look look;
    private long looked;

    private @Nullable Future<?> next;
    /** Of the next look. */
    private long due;

    /** Ends the calls whose deadline is not after {@code now}, and tells the earliest of the others. */
    @FunctionalInterface
    interface Look {
        OptionalLong end(long now);
    }

    Expiry(EventLoop loop, Clock clock, Look look) {
        this.loop = loop;
        this.clock = clock;
        this.look = look;
        this.looked = clock.nanos() - TimeUnit.MILLISECONDS.toNanos(LEAST_MILLIS);
    }

    /** Somebody waits until then, and no longer. */
    void expect(long deadline) {
        long earliest = looked + TimeUnit.MILLISECONDS.toNanos(LEAST_MILLIS);
        long wanted = deadline - earliest < 0 ? earliest : deadline;
        Future<?> scheduled = next;
        if (scheduled != null && due - wanted <= 0) {
            return;
        }
        if (scheduled != null) {
            scheduled.cancel(false);
        }
        due = wanted;
        next = loop.schedule(this::look, wanted - clock.nanos(), TimeUnit.NANOSECONDS);
    }

    private void look() {
        next = null;
        looked = clock.nanos();
        // Whoever is told that his time is over may send again, and be expected, before this returns.
        look.end(looked).ifPresent(this::expect);
    }

    /** Nobody waits any more. */
    void stop() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }
}
