package bt.doctor;

import java.util.List;

/** 6: the logs of a dead server go once no tablet needs them, soon after the grace. */
final class UnneededLogs implements Invariant<StoredLog> {
    private final long graceMicros;

    UnneededLogs(long graceMillis) {
        this.graceMicros = graceMillis * 1_000;
    }

    @Override
    public List<Finding> check(StoredLog log) {
        long age = log.nowMicros() - log.modifiedMicros();
        return log.needed() || age <= graceMicros
                ? List.of()
                : List.of(new Finding(
                        Rule.UNNEEDED_LOGS,
                        Place.file(log.directory()),
                        "no tablet needs the log, which was last changed " + age / 1_000_000 + " s ago"));
    }
}
