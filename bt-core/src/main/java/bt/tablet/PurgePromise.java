package bt.tablet;

import static bt.tablet.ChangeTimes.earlier;

import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import bt.record.FamilyAges;
import java.util.List;

/**
 * What a tablet owes to the promises of its families ({@link FamilySchema#purgeMicros}); pure functions. Something waits to be
 * purged from the time on at which a deletion was made, a version was pushed out or overwritten, or an age of the rule was
 * reached. Work on it begins when half of the promised time is over: the other half is for the work.
 *
 * <p>Whether a put pushed anything out is not known before older files are looked at, so in a family with a limit every put
 * may have; in others those alone that carry a time of the client's, which may have overwritten a version.
 */
final class PurgePromise {
    private PurgePromise() {}

    /** Since when something of the family waits in the file, or will, in microseconds; {@link Expiry#NEVER} for nothing. */
    static long waitingSince(FileFacts file, FamilySchema family) {
        if (file.writtenMicros() == 0) {
            // An earlier program wrote it, and did not tell.
            return file.reference().getFamilies().contains(family.id()) ? 0 : Expiry.NEVER;
        }
        long since = earlier(deletionMicros(file, family.id()), putMicros(file, family.id()));
        since = earlier(since, expiryMicros(file, family.id()));
        return since == 0 ? Expiry.NEVER : since;
    }

    private static long expiryOf(long putMicros, long age) {
        return putMicros > Expiry.NEVER - age ? Expiry.NEVER : putMicros + age;
    }

    /** The same of a memtable. */
    static long waitingSince(List<ChangeTimes> memtable, FamilySchema family) {
        long since = deletionMicros(memtable, family.id());
        for (ChangeTimes times : memtable) {
            if (times.family() == family.id()) {
                since = earlier(since, hidingPutMicros(times, family));
                long age = Expiry.of(family.garbage()).lowestAgeMicros();
                if (age != Expiry.NEVER && times.putMicros() != 0) {
                    since = earlier(since, earlier(times.timedPutMicros(), expiryOf(times.putMicros(), age)));
                }
            }
        }
        return since == 0 ? Expiry.NEVER : since;
    }

    /** When the earliest deletion that concerns the family and waits was made; 0: none does. */
    static long deletionMicros(FileFacts file, int family) {
        long micros = 0;
        for (FamilyAges ages : file.ages()) {
            if (ages.getFamily() == family || ages.getFamily() == CellKey.ROW_LEVEL) {
                micros = earlier(micros, ages.getOldestDeletionMicros());
            }
        }
        return micros;
    }

    static long deletionMicros(List<ChangeTimes> memtable, int family) {
        long micros = 0;
        for (ChangeTimes times : memtable) {
            if (times.family() == family || times.family() == CellKey.ROW_LEVEL) {
                micros = earlier(micros, times.deletionMicros());
            }
        }
        return micros;
    }

    /** When the first of the puts was made that may hide another, under the family's rule; 0: none may. */
    static long hidingPutMicros(ChangeTimes times, FamilySchema family) {
        return Garbage.counts(family.garbage()) ? times.putMicros() : times.timedPutMicros();
    }

    private static long putMicros(FileFacts file, int family) {
        return file.ages().stream()
                .filter(ages -> ages.getFamily() == family)
                .mapToLong(FamilyAges::getOldestPutMicros)
                .findFirst()
                .orElse(0);
    }

    private static long expiryMicros(FileFacts file, int family) {
        return file.ages().stream()
                .filter(ages -> ages.getFamily() == family)
                .mapToLong(FamilyAges::getExpiryMicros)
                .findFirst()
                .orElse(0);
    }

    /** Whether the time has come to compact the file. */
    static boolean isDue(FileFacts file, TableSchema schema, long nowMicros) {
        PerFamily<FamilyAges> ages = PerFamily.of(file);
        return schema.families().stream()
                .filter(family -> family.purgeMicros().isPresent())
                .anyMatch(family -> isDue(file.with(ages.of(family.id())), family, nowMicros));
    }

    private static boolean isDue(FileFacts file, FamilySchema family, long nowMicros) {
        return isDue(family, waitingSince(file, family), nowMicros)
                || isOfAnotherRule(file, family)
                || isKeptForAnother(file, family, nowMicros);
    }

    /**
     * Whether it may hold back rows of another tablet. Their tablet has rewritten what it deletes of them, and cannot know that
     * they are on disk still, in a file that this one names.
     */
    private static boolean isKeptForAnother(FileFacts file, FamilySchema family, long nowMicros) {
        return file.mayHaveOthersRows()
                && file.reference().getFamilies().contains(family.id())
                && isDue(family, file.writtenMicros(), nowMicros);
    }

    /** Whether the time has come to write the memtable to files. */
    static boolean isDue(List<ChangeTimes> memtable, TableSchema schema, long nowMicros) {
        PerFamily<ChangeTimes> times = PerFamily.of(memtable);
        return schema.families().stream()
                .filter(family -> family.purgeMicros().isPresent())
                .anyMatch(family -> isDue(family, waitingSince(times.of(family.id()), family), nowMicros));
    }

    /** Whether of what is due in the file anything needs to be seen with the older files before it can go. */
    static boolean needsOlder(FileFacts file, TableSchema schema, long nowMicros) {
        PerFamily<FamilyAges> ages = PerFamily.of(file);
        return file.writtenMicros() == 0
                || schema.families().stream()
                        .filter(family -> family.purgeMicros().isPresent())
                        .anyMatch(family -> needsOlder(file.with(ages.of(family.id())), family, nowMicros));
    }

    private static boolean needsOlder(FileFacts file, FamilySchema family, long nowMicros) {
        long hidden = earlier(deletionMicros(file, family.id()), putMicros(file, family.id()));
        long expired = expiryMicros(file, family.id());
        boolean byAge = Expiry.of(family.garbage()).aloneMicros() != Expiry.NEVER;
        long since = byAge ? hidden : earlier(hidden, expired);
        return isDue(family, since == 0 ? Expiry.NEVER : since, nowMicros) || isOfAnotherRule(file, family);
    }

    /** Versions may have become garbage with a change of the rule, of which no time is known. */
    private static boolean isOfAnotherRule(FileFacts file, FamilySchema family) {
        return family.purgeMicros().isPresent()
                && file.ages().stream()
                        .anyMatch(ages -> ages.getFamily() == family.id()
                                && !ages.getRule().equals(Expiry.mark(family.garbage())));
    }

    private static boolean isDue(FamilySchema family, long since, long nowMicros) {
        return family.purgeMicros().isPresent()
                && since <= nowMicros - family.purgeMicros().getAsLong() / 2;
    }
}
