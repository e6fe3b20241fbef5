package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class DeletionsTest {
    private final Deletions deletions = new Deletions();

    @SeededTest(runs = 200)
    void aPutIsDeletedByTheFirstDeletionAfterItThatCoversIt(RandomGenerator random) {
        record Range(long oldest, long newest, long sequence) {}
        List<Range> all = new ArrayList<>();
        deletions.beginRow();
        for (long timestamp = 30; timestamp > 0; timestamp--) {
            for (int i = random.nextInt(3); i > 0; i--) {
                Range range = new Range(random.nextLong(1, timestamp + 1), timestamp, random.nextLong(1, 50));
                all.add(range);
                deletions.addOfVersions(range.oldest, range.newest, range.sequence);
            }
            long sequence = random.nextLong(50);
            long at = timestamp;
            long expected = all.stream()
                    .filter(range -> range.oldest <= at && at <= range.newest && range.sequence > sequence)
                    .mapToLong(Range::sequence)
                    .min()
                    .orElse(Deletions.NEVER);
            assertThat(deletions.deletedAt(timestamp, sequence)).isEqualTo(expected);
        }
    }

    /** Each version of a column written and deleted: a read of the column must not remember them all. */
    @Test
    void whatHidesNothingThatIsStillToComeIsForgotten() {
        deletions.beginRow();
        for (long timestamp = 100_000; timestamp > 0; timestamp--) {
            deletions.addOfVersions(timestamp, timestamp, 2 * timestamp + 1);
            assertThat(deletions.deletedAt(timestamp, 2 * timestamp)).isEqualTo(2 * timestamp + 1);
            assertThat(deletions.ofVersions()).isEqualTo(1);
        }
    }

    @SeededTest(runs = 3)
    void tenThousandDeletionsOfVersionsGoWithAPage(RandomGenerator random) throws CorruptionException {
        Deletions many = new Deletions();
        many.beginRow();
        long sequence = 5_000_000_000L;
        long newest = 1_700_000_000_000_000L;
        for (int i = 0; i < 10_000; i++) {
            sequence += 1 + random.nextInt(100);
            many.addOfVersions(newest - random.nextInt(60_000_000), newest, sequence);
        }
        Output saved = new Output();
        many.save(saved);
        assertThat(saved.size()).isLessThan(VersionFilter.MAX_MET_BYTES);

        Deletions same = new Deletions();
        same.restore(Input.of("deletions", saved.toBytes()));
        for (int i = 0; i < 1_000; i++) {
            long timestamp = newest - 60_000L * i;
            long put = sequence - random.nextInt(1_000_000);
            assertThat(same.deletedAt(timestamp, put)).isEqualTo(many.deletedAt(timestamp, put));
        }
    }
}
