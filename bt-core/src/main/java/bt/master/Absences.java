package bt.master;

import bt.metadata.MetadataRow;
import bt.model.TabletId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tablets that METADATA says are served by servers that do not tell of them. What one tells may be older than the row, for a load
 * or a split has two ends; but a server that still does not tell of it with a later look, the row being the same, has lost the
 * tablet, or is at an end of which it knows more. One thread.
 */
final class Absences {
    /** A tablet that has not been looked at for so long is gone. */
    private static final long GONE_NANOS = 600_000_000_000L;

    private final Map<TabletId, Absence> absences = new HashMap<>();

    /** Each has a look at the servers of its own. */
    private long passes;

    /** Whether this one has found a tablet that is not told of, and that the one before had not. */
    private boolean hasBegun;

    private Sight sight = new Sight(List.of(), List.of(), Map.of(), Set.of());

    private record Absence(long generation, long pass, long sinceNanos) {}

    /** Before the rows of a pass. */
    void begin(Sight seen, long nowNanos) {
        sight = seen;
        passes++;
        hasBegun = false;
        absences.values().removeIf(absence -> nowNanos - absence.sinceNanos >= GONE_NANOS);
    }

    /** Whether the server of the row's location, which lives, should be asked for the tablet. */
    boolean isAbsent(MetadataRow row, Member holder, long nowNanos) {
        Poll.Holdings holdings = sight.answered().get(holder);
        if (holdings == null) {
            // Silent: of its tablets nothing is known.
            return false;
        }
        if (holdings.tablets().containsKey(row.id())) {
            absences.remove(row.id());
            return false;
        }
        Absence before = absences.get(row.id());
        if (before == null || before.generation != row.generation()) {
            absences.put(row.id(), new Absence(row.generation(), passes, nowNanos));
            hasBegun = true;
            return false;
        }
        return before.pass != passes;
    }

    /** Whether the next pass should not be waited for: it tells what has become of a tablet that this one has missed first. */
    boolean hasBegun() {
        return hasBegun;
    }
}
