package bt.doctor;

import java.util.List;

/** 9, of sweeps of garbage that somebody has asked for: a master does them, and says so in their files while it gets on. */
final class SweepProgress implements Invariant<AskedSweep> {
    private final long stuckMicros;

    SweepProgress(long stuckMillis) {
        this.stuckMicros = stuckMillis * 1_000;
    }

    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(AskedSweep sweep) {
        long still = sweep.nowMicros() - sweep.writtenMicros();
        if (still <= stuckMicros) {
            return List.of();
        }
        return List.of(new Finding(
                Rule.PROGRESS,
                Place.file(sweep.file()),
                "a sweep of garbage is asked for, and no master has got on with it for " + still / 1_000_000 + " s"));
    }
}
