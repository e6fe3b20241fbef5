package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.record.FileReference;
import bt.tablet.CompactionPlan.Reason;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailedPlansTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final CompactionPlan DAMAGED = plan("a", "b");
    private static final CompactionPlan OTHER = plan("c", "d");

    private final FailedPlans failed = new FailedPlans();

    @Test
    void itRestsLongerEachTimeThatItFails() {
        failed.add(DAMAGED, 0);
        assertThat(failed.leftOfLastNanos(SECOND)).isEqualTo(9 * SECOND);
        assertThat(failed.rests(DAMAGED, 9 * SECOND)).isTrue();
        assertThat(failed.rests(DAMAGED, 10 * SECOND)).isFalse();
        failed.add(DAMAGED, 10 * SECOND);
        assertThat(failed.leftOfLastNanos(10 * SECOND)).isEqualTo(20 * SECOND);
    }

    /** It may fail for something that passes, and must not wait for the other's damaged file. */
    @Test
    void whatFailsForTheFirstTimeRestsBrieflyThoughAnotherRestsForLong() {
        long now = failOften(DAMAGED);
        failed.add(OTHER, now);
        assertThat(failed.leftOfLastNanos(now)).isEqualTo(10 * SECOND);
        assertThat(failed.rests(OTHER, now + 10 * SECOND)).isFalse();
        assertThat(failed.rests(DAMAGED, now + 10 * SECOND)).isTrue();
    }

    @Test
    void aPlanRestsWithEachOfItsFiles() {
        long now = failOften(DAMAGED);
        assertThat(failed.rests(plan("b", "c"), now)).isTrue();
        assertThat(failed.rests(OTHER, now)).isFalse();
        failed.retain(OTHER.inputs());
        assertThat(failed.isEmpty()).isTrue();
        assertThat(failed.leftOfLastNanos(now)).isZero();
    }

    /** When it has failed for the last time. */
    private long failOften(CompactionPlan plan) {
        long now = 0;
        for (int i = 0; i < 6; i++) {
            now += failed.leftOfLastNanos(now);
            failed.add(plan, now);
        }
        return now;
    }

    private static CompactionPlan plan(String... paths) {
        return new CompactionPlan(
                List.of(paths).stream()
                        .map(path -> FileReference.newBuilder()
                                .setPath(path)
                                .setBytes(1)
                                .setFamilies(List.of())
                                .setSmallestSequence(1)
                                .setLargestSequence(2)
                                .build())
                        .toList(),
                false,
                Reason.FILES);
    }
}
