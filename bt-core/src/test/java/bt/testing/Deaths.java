package bt.testing;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Who dies where, or meets another fate: whichever process comes to a {@link CrashPoint} as the so-manieth from the moment on
 * at which that was planned. Used by whoever holds the baton.
 */
final class Deaths {
    private final Map<CrashPoint, Integer> comers = new EnumMap<>(CrashPoint.class);
    private final BiConsumer<String, CrashPoint> kill;

    Deaths(BiConsumer<String, CrashPoint> kill) {
        this.kill = kill;
    }

    /** Of two plans for one point the earlier death remains. */
    void plan(CrashPoint point, int nth) {
        comers.merge(point, nth, Math::min);
    }

    void forget() {
        comers.clear();
    }

    /** A process comes to a point; does not return if it dies. */
    void at(String process, CrashPoint point) {
        Integer left = comers.computeIfPresent(point, (same, before) -> before - 1);
        if (left != null && left <= 0) {
            comers.remove(point);
            kill.accept(process, point);
        }
    }
}
