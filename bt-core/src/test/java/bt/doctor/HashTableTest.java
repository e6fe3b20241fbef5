package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

class HashTableTest {
    @SeededTest(runs = 20)
    void itHoldsWhatAMapOfListsHolds(RandomGenerator random) {
        HashTable table = new HashTable();
        Map<Long, List<Integer>> model = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            // Few hashes, so that many have several values; 0 is the one that is kept as another.
            long hash = random.nextInt(2_000) * 0x1_0000_0001L;
            if (random.nextInt(3) > 0) {
                int value = random.nextInt(10);
                table.add(hash, value);
                model.computeIfAbsent(HashTable.used(hash), first -> new ArrayList<>())
                        .add(value);
            } else {
                int odd = random.nextInt(2);
                table.visit(hash, value -> value % 2 == odd);
                model.getOrDefault(HashTable.used(hash), new ArrayList<>()).removeIf(value -> value % 2 == odd);
            }
        }
        Map<Long, List<Integer>> held = new HashMap<>();
        table.forEach((hash, value) ->
                held.computeIfAbsent(hash, first -> new ArrayList<>()).add(value));
        model.values().removeIf(List::isEmpty);
        assertThat(held.keySet()).isEqualTo(model.keySet());
        model.forEach((hash, values) -> {
            assertThat(held.get(hash)).containsExactlyInAnyOrderElementsOf(values);
            assertThat(table.contains(hash)).isTrue();
        });
        assertThat(table.contains(1L << 40)).isFalse();
    }
}
