package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.record.TableUsage;
import bt.testing.SeededTest;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class UserLedgerTest {
    private final UserLedger ledger = new UserLedger();

    @Test
    void aFamilyWithOneWriterIsThatWritersHoweverLargeItIs() {
        ledger.put(1, "alice", 1_000);
        ledger.put(2, "bob", 500);
        ledger.settle(Map.of(1, 1_200L, 2, 700L));
        assertThat(ledger.users()).containsExactlyInAnyOrderEntriesOf(Map.of("alice", 1_200L, "bob", 700L));
        // Bob deletes, a compaction takes it away: that is his gain alone.
        ledger.settle(Map.of(1, 1_200L, 2, 10L));
        assertThat(ledger.users()).containsExactlyInAnyOrderEntriesOf(Map.of("alice", 1_200L, "bob", 10L));
    }

    @Test
    void whatWasThereBeforeIsNobodys() {
        ledger.put(1, "alice", 100);
        ledger.putRest(Map.of(1, 1_100L, 2, 50L));
        ledger.settle(Map.of(1, 1_100L, 2, 50L));
        assertThat(ledger.users()).isEqualTo(Map.of("alice", 100L));
    }

    @Test
    void writersOfOneFamilyShareWhatItLoses() {
        ledger.put(1, "alice", 300);
        ledger.put(1, "bob", 100);
        ledger.settle(Map.of(1, 200L));
        assertThat(ledger.users()).isEqualTo(Map.of("alice", 150L, "bob", 50L));
    }

    /** Alice puts anew what she has, again and again: what that takes away was hers, and is taken from both. */
    @Test
    void whoOverwritesInASharedFamilyIsCountedWhatOthersHave() {
        ledger.put(1, "alice", 100);
        ledger.put(1, "bob", 100);
        for (int i = 0; i < 20; i++) {
            ledger.put(1, "alice", 100);
            ledger.settle(Map.of(1, 200L));
        }
        assertThat(ledger.users()).isEqualTo(Map.of("alice", 200L, "bob", 0L));
    }

    /** Who deletes, overwrites or is overwritten the ledger does not know; it is wrong by no more than that. */
    @SeededTest(runs = 50)
    void aShareOfASharedFamilyIsWrongByAtMostWhatTheFamilyHasLost(RandomGenerator random) {
        Map<String, Long> have = new TreeMap<>();
        long lost = 0;
        for (int i = 0; i < 200; i++) {
            String user = "user" + random.nextInt(4);
            if (random.nextInt(3) > 0) {
                long bytes = random.nextLong(1, 1_000);
                ledger.put(1, user, bytes);
                have.merge(user, bytes, Long::sum);
            } else if (have.getOrDefault(user, 0L) > 0) {
                long bytes = random.nextLong(1, have.getOrDefault(user, 0L) + 1);
                have.merge(user, -bytes, Long::sum);
                lost += bytes;
            }
            long taken = have.values().stream().mapToLong(bytes -> bytes).sum();
            ledger.settle(Map.of(1, taken));
            assertThat(ledger.users().keySet()).isEqualTo(have.keySet());
            for (Map.Entry<String, Long> counted : ledger.users().entrySet()) {
                long really = have.getOrDefault(counted.getKey(), 0L);
                assertThat(counted.getValue()).isBetween(really - lost - 1, Math.min(taken, really + lost) + 1);
            }
            assertThat(ledger.users().values().stream()
                            .mapToLong(bytes -> bytes)
                            .sum())
                    .as("what all have together")
                    .isBetween(taken - 4, taken + 4);
        }
    }

    @Test
    void aDroppedFamilyIsNobodysAndTakesNothing() {
        ledger.put(1, "alice", 300);
        ledger.put(2, "alice", 1);
        ledger.settle(Map.of(2, 1L));
        ledger.forget(family -> family == 1);
        assertThat(ledger.users()).isEqualTo(Map.of("alice", 1L));
    }

    @Test
    void anEmptyFamilyStaysWhoseItWas() {
        ledger.put(1, "alice", 300);
        ledger.settle(Map.of());
        assertThat(ledger.users()).isEqualTo(Map.of("alice", 0L));
        ledger.settle(Map.of(1, 300L));
        assertThat(ledger.users()).isEqualTo(Map.of("alice", 300L));
    }

    /** Servers tell what was put a moment before or after they tell what is there: that must not move shares. */
    @SeededTest(runs = 50)
    void aPutThatIsCountedBeforeItIsSeenIsItsWritersAll(RandomGenerator random) {
        ledger.put(1, "bob", 10_000);
        long taken = 10_000;
        ledger.settle(Map.of(1, taken));
        long ofAlice = 0;
        for (int i = 0; i < 20; i++) {
            long bytes = random.nextLong(1, 1_000);
            ledger.put(1, "alice", bytes);
            ofAlice += bytes;
            if (random.nextBoolean()) {
                ledger.settle(Map.of(1, taken));
            }
            taken += bytes;
            ledger.settle(Map.of(1, taken));
        }
        assertThat(ledger.users().get("alice")).isBetween(ofAlice - 20, ofAlice + 20);
    }

    @SeededTest(runs = 50)
    void itIsReadAsItWasWritten(RandomGenerator random) {
        Map<Integer, Long> taken = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            int family = random.nextInt(1, 10);
            long bytes = random.nextLong(100_000);
            ledger.put(family, "user" + random.nextInt(5), bytes);
            taken.merge(family, bytes, Long::sum);
        }
        ledger.settle(taken);
        UserLedger read = UserLedger.of(new TableUsage(0L, ledger.shares()));
        assertThat(read.shares()).isEqualTo(ledger.shares());
        assertThat(read.users()).isEqualTo(ledger.users());
    }
}
