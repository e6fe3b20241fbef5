package bt.doctor;

import bt.doctor.AskedWork.Left;
import bt.doctor.AskedWork.Times;
import java.util.List;
import java.util.Optional;

/** 9, of what somebody has asked for on a table: compactions, flushes, splits and merges get on, and none fails for long. */
final class AskedProgress implements Invariant<AskedWork> {
    private final long stuckMicros;

    AskedProgress(long stuckMillis) {
        this.stuckMicros = stuckMillis * 1_000;
    }

    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(AskedWork asked) {
        Times times = asked.times();
        long age = times.nowMicros() - times.writtenMicros();
        long still = times.nowMicros() - times.movedMicros();
        Optional<Left> one = asked.undone().one();
        if (one.isEmpty() || age <= stuckMicros || (one.get().failure().isEmpty() && still <= stuckMicros)) {
            return List.of();
        }
        Left left = one.get();
        String fact = "a " + asked.work() + " of the " + new Place("", Optional.of(asked.rows()), "")
                + " is asked for since " + age / 1_000_000 + " s, and still to be done in "
                + asked.undone().places() + " places, "
                + left.tablet().map(id -> "here in " + id).orElse("here") + ": "
                + left.failure().orElse("nothing has changed for " + still / 1_000_000 + " s");
        return List.of(
                new Finding(Rule.PROGRESS, new Place(asked.table(), Optional.of(left.rows()), asked.file()), fact));
    }
}
