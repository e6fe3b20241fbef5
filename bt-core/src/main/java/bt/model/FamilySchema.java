package bt.model;

import static bt.base.Check.checkGiven;

import java.util.List;
import java.util.OptionalLong;

/**
 * A column family: the unit of access control and of garbage collection (section 2 of the paper). The id stands for the
 * name in every stored key and is never given twice in a table.
 *
 * <p>{@code purgeMicros}, where there is one, is a promise: so long after a deletion was acknowledged, or after a version
 * became garbage, at the latest, neither it nor what it hides is in any file that METADATA names.
 */
public record FamilySchema(
        int id, String name, String localityGroup, GcRule garbage, OptionalLong purgeMicros, Timestamps timestamps) {
    /** What servers store in a row themselves: the outcomes of writes that a client may have no answer for. */
    public static final int OF_SERVERS = Integer.MAX_VALUE;

    /**
     * The shortest promise that can be kept: for five minutes after a load nothing is dropped that is newer than what it
     * found, ages are judged ten minutes late, and half of the time is left for the work.
     */
    public static final long MIN_PURGE_MICROS = 30 * 60 * 1_000_000L;

    public FamilySchema {
        checkGiven(
                id > 0 && id < OF_SERVERS,
                "a family id is 1 to %d, not %d",
                "leave it to the table to number its families",
                OF_SERVERS - 1,
                id);
        Names.check("family", name);
        checkGiven(
                purgeMicros.orElse(MIN_PURGE_MICROS) >= MIN_PURGE_MICROS,
                "family %s: deleted data can be off the disk within 30 minutes or more, not within %d microseconds",
                "give more time",
                name,
                purgeMicros.orElse(0));
    }

    /** Deleted data goes when its files are compacted, nothing is promised; whoever writes may give timestamps. */
    public FamilySchema(int id, String name, String localityGroup, GcRule garbage) {
        this(id, name, localityGroup, garbage, OptionalLong.empty(), Timestamps.EITHER);
    }

    /** The same family with a promise. */
    public FamilySchema purgedWithin(long micros) {
        return purged(OptionalLong.of(micros));
    }

    /** The same family with this promise, or without one. */
    public FamilySchema purged(OptionalLong micros) {
        return new FamilySchema(id, name, localityGroup, garbage, micros, timestamps);
    }

    /** The same family under another rule. */
    public FamilySchema withGarbage(GcRule rule) {
        return new FamilySchema(id, name, localityGroup, rule, purgeMicros, timestamps);
    }

    /** The same family in another locality group. */
    public FamilySchema inGroup(String group) {
        return new FamilySchema(id, name, group, garbage, purgeMicros, timestamps);
    }

    /** The same family with timestamps given so. */
    public FamilySchema stamped(Timestamps by) {
        return new FamilySchema(id, name, localityGroup, garbage, purgeMicros, by);
    }

    /** Whether a file of these families is one of what servers store for themselves: open writes, and nothing of users. */
    public static boolean areOfServers(List<Integer> families) {
        return families.size() == 1 && families.get(0) == OF_SERVERS;
    }
}
