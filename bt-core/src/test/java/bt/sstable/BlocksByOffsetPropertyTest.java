package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

class BlocksByOffsetPropertyTest {
    private static Block block(long offset) {
        return Block.ofPiece("f", offset, new byte[Integer.BYTES]);
    }

    @SeededTest(runs = 50)
    void eachIsFoundByItsOffsetAndNoOtherIs(RandomGenerator random) {
        Map<Long, Block> model = new TreeMap<>();
        // As they lie in a file: all of one length, or of any.
        int step = 1 << random.nextInt(20);
        boolean even = random.nextBoolean();
        long offset = random.nextInt(100);
        for (int i = random.nextInt(2_000); i > 0; i--) {
            model.put(offset, block(offset));
            offset += even ? step : 1 + random.nextInt(step);
        }
        BlocksByOffset blocks = new BlocksByOffset(model.values());
        model.forEach((at, block) -> assertThat(blocks.find(at)).containsSame(block));
        for (int i = 0; i < 1_000; i++) {
            long other = random.nextLong(offset + 100);
            assertThat(blocks.find(other)).isEqualTo(Optional.ofNullable(model.get(other)));
        }
    }
}
