package bt.doctor;

import java.util.List;

/** 9, of servers that are drained: while one has tablets, some leave it. */
final class DrainProgress implements Invariant<Draining> {
    private final long stuckMicros;

    DrainProgress(long stuckMillis) {
        this.stuckMicros = stuckMillis * 1_000;
    }

    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(Draining drain) {
        long age = drain.nowMicros() - drain.writtenMicros();
        if (drain.first().isEmpty() || age <= stuckMicros) {
            return List.of();
        }
        return List.of(new Finding(
                Rule.PROGRESS,
                Place.file(drain.file()),
                "the server is drained since " + age / 1_000_000 + " s, has " + drain.tablets() + " tablets, here "
                        + drain.first().get() + ", and none leaves it"));
    }
}
