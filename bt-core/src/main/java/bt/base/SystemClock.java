package bt.base;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The machine's clock. */
enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}
