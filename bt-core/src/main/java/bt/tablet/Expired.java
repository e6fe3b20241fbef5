package bt.tablet;

import bt.record.FamilyAges;
import bt.tablet.CompactionPicker.Situation;
import java.util.List;

/**
 * Whether so much of some files is garbage by its age that it pays to write the rest again: about half of the bytes, and
 * not before a quarter of the rule's age has passed since they were written. So a large file of many ages is written twice or
 * three times while all of it expires, not for every few cells, and one that expires as a whole is dropped for the price
 * of reading it. A pure function.
 */
final class Expired {
    private static final double WORTH_A_COMPACTION = 0.5;
    private static final int PARTS_OF_THE_AGE = 4;

    private Expired() {}

    static boolean isMostOf(List<FileFacts> files, Situation situation) {
        double expired = 0;
        long all = 0;
        // As compactions judge ages.
        long nowMicros = situation.nowMicros() - TabletReads.MAX_RESUME_MICROS;
        for (FileFacts file : files) {
            for (FamilyAges ages : file.ages()) {
                all += ages.getBytesByAge().stream().mapToLong(Long::longValue).sum();
                long age = situation
                        .schema()
                        .family(ages.getFamily())
                        .map(family -> Expiry.of(family.garbage()).aloneMicros())
                        .orElse(Expiry.NEVER);
                if (age != Expiry.NEVER && nowMicros - file.writtenMicros() >= age / PARTS_OF_THE_AGE) {
                    long ageAtWriting = Math.max(0, age - (nowMicros - file.writtenMicros()));
                    expired += AgeClasses.olderThan(ageAtWriting, ages.getBytesByAge());
                }
            }
        }
        return all > 0 && expired >= WORTH_A_COMPACTION * all;
    }
}
