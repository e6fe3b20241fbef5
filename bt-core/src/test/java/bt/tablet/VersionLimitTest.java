package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class VersionLimitTest {
    private static final int MANY = 100_000;

    private final List<Operation> operations = new ArrayList<>();

    /** Of the versions from oldest to newest; a put has one timestamp. Its sequence is its place in the list. */
    private record Operation(boolean isPut, long oldest, long newest) {}

    @Test
    void whatFellOutStaysOutThoughTheNewerOneIsDeleted() {
        put(20);
        put(30);
        delete(30);

        assertThat(held(1)).isEmpty();
    }

    @Test
    void whatFellOutCountsAgainstNothingThatIsWrittenLater() {
        put(20);
        put(30);
        delete(30);
        put(10);

        assertThat(held(1)).containsExactly(10L);
    }

    @Test
    void aDeletedVersionCountsNoMore() {
        put(20);
        put(30);
        delete(30);
        put(40);

        assertThat(held(2)).containsExactly(20L, 40L);
    }

    @Test
    void aVersionCountsFromItsFirstWriteThoughItIsOverwrittenLater() {
        put(40);
        put(30);
        put(20);
        delete(30);
        put(40);

        assertThat(held(2)).containsExactly(40L);
    }

    @Test
    void onceAllPlacesAreTakenForGoodTheRestIsOut() {
        VersionLimit limit = new VersionLimit(2);
        limit.beginColumn();
        limit.add(50, 5, Deletions.NEVER);
        assertThat(limit.isReachedForGood()).isFalse();
        limit.add(40, 4, 9);
        assertThat(limit.isReachedForGood()).isFalse();
        limit.add(30, 10, Deletions.NEVER);
        assertThat(limit.isReachedForGood()).isTrue();
    }

    /** Where each was held against all before it, this took minutes. */
    @Test
    @Timeout(20)
    void aHundredThousandDeletedVersionsOfOneColumnAreJudgedInGoodTime() {
        VersionLimit limit = new VersionLimit(1);
        limit.beginColumn();
        for (int i = MANY; i > 0; i--) {
            assertThat(limit.add(i, 2L * i, 2L * i + 1)).isFalse();
        }
        assertThat(limit.add(0, 2L * MANY + 2, Deletions.NEVER)).isFalse();
        assertThat(limit.add(-1, 2L * MANY, 2L * MANY + 1)).isTrue();
        assertThat(limit.isReachedForGood()).isTrue();
    }

    @SeededTest(runs = 400)
    void isWhatIsHeldWhenTheLimitIsAppliedWithEveryWrite(RandomGenerator random) {
        int timestamps = 2 + random.nextInt(5);
        for (int i = 0; i < 25; i++) {
            if (random.nextInt(3) == 0) {
                int oldest = random.nextInt(timestamps);
                int length = random.nextInt(3) == 0 ? random.nextInt(timestamps) : 0;
                operations.add(new Operation(false, oldest, oldest + length));
            } else {
                put(random.nextInt(timestamps));
            }
            for (int limit = 1; limit <= 4; limit++) {
                assertThat(held(limit)).as("%s, limit %d", operations, limit).isEqualTo(appliedAtOnce(limit));
            }
        }
    }

    private void put(long timestamp) {
        operations.add(new Operation(true, timestamp, timestamp));
    }

    private void delete(long timestamp) {
        operations.add(new Operation(false, timestamp, timestamp));
    }

    private NavigableSet<Long> appliedAtOnce(int limit) {
        NavigableSet<Long> held = new TreeSet<>();
        for (Operation operation : operations) {
            held.subSet(operation.oldest, true, operation.newest, true).clear();
            if (operation.isPut) {
                held.add(operation.newest);
                if (held.size() > limit) {
                    held.pollFirst();
                }
            }
        }
        return held;
    }

    /** What the limit says of the puts when it is shown all of them in the order of keys. */
    private NavigableSet<Long> held(int count) {
        VersionLimit limit = new VersionLimit(count);
        limit.beginColumn();
        NavigableSet<Long> held = new TreeSet<>();
        NavigableSet<Long> seen = new TreeSet<>();
        for (int sequence : putsInTheOrderOfKeys()) {
            long timestamp = operations.get(sequence).newest;
            boolean fell = limit.add(timestamp, sequence, deletedAt(sequence, timestamp));
            if (seen.add(timestamp) && !fell && deletedAt(sequence, timestamp) == Deletions.NEVER) {
                held.add(timestamp);
            }
        }
        return held;
    }

    private List<Integer> putsInTheOrderOfKeys() {
        List<Integer> puts = new ArrayList<>();
        for (int sequence = 0; sequence < operations.size(); sequence++) {
            if (operations.get(sequence).isPut) {
                puts.add(sequence);
            }
        }
        puts.sort(Comparator.<Integer>comparingLong(sequence -> -operations.get(sequence).newest)
                .thenComparing(Comparator.reverseOrder()));
        return puts;
    }

    private long deletedAt(int sequence, long timestamp) {
        for (int later = sequence + 1; later < operations.size(); later++) {
            Operation operation = operations.get(later);
            if (!operation.isPut && operation.oldest <= timestamp && timestamp <= operation.newest) {
                return later;
            }
        }
        return Deletions.NEVER;
    }
}
