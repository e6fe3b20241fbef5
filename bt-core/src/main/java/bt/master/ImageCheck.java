package bt.master;

import bt.base.Bytes;
import bt.base.Clock;
import bt.model.RowRange;
import java.util.Optional;

/**
 * Has passes read all rows again, a stretch with each, so that what a {@link TabletImage} has missed is found: of a small cluster all in
 * one, of any within about ten minutes; after a death at once, stretch after stretch. While tablets wait for a pass it
 * rests, a minute at most, and as no stretch is long no failure that comes meanwhile waits for it. Owned by the master's thread.
 */
final class ImageCheck {
    private static final long ROUND_MILLIS = 600_000;
    private static final long MOST_REST_NANOS = 60_000_000_000L;

    private final MasterConfig config;
    private final Clock clock;
    private Bytes next = TabletImage.KEYS.start();
    private Optional<RowRange> stretch = Optional.empty();
    private long lastNanos;
    private boolean isUrgent;

    ImageCheck(MasterConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
        this.lastNanos = clock.nanos();
    }

    /** Begins anew, and does not rest before it is through. */
    void hurry() {
        next = TabletImage.KEYS.start();
        isUrgent = true;
    }

    /** Whether a pass should follow for it. */
    boolean isUrgent() {
        return isUrgent;
    }

    /** The keys that this pass is to read for it, while tablets wait for passes or not. */
    Optional<RowRange> begin(TabletImage image, boolean othersWait) {
        long rested = clock.nanos() - lastNanos;
        boolean isTime = isUrgent || rested >= config.passMillis() * 1_000_000;
        stretch = image.isWhole() && isTime && (!othersWait || rested >= MOST_REST_NANOS)
                ? Optional.of(image.keysFrom(next, tablets(image)))
                : Optional.empty();
        return stretch;
    }

    private int tablets(TabletImage image) {
        long passes = Math.max(1, ROUND_MILLIS / config.passMillis());
        return (int) Math.max(config.checkedTablets(), image.tablets().size() / passes + 1);
    }

    /** The pass is over. What it could not read of the stretch the image has wait for the next. */
    void passed() {
        stretch.ifPresent(keys -> {
            boolean isThrough = keys.end().equals(TabletImage.KEYS.end());
            next = isThrough ? TabletImage.KEYS.start() : keys.end().orElseThrow();
            isUrgent &= !isThrough;
            lastNanos = clock.nanos();
        });
        stretch = Optional.empty();
    }
}
