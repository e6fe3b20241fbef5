package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import org.junit.jupiter.api.Test;

class BlockBuilderTest {
    private final BlockBuilder block = new BlockBuilder(16, 1 << 16);

    @Test
    void oneSmallEntryInSixteenIsARestartPoint() {
        add(32, 10);
        assertThat(block.restarts()).isEqualTo(2);
    }

    @Test
    void everyEntryBehindALargeOneIsARestartPoint() {
        add(10, BlockBuilder.MAX_RESTART_BYTES);
        assertThat(block.restarts()).isEqualTo(10);
    }

    @Test
    void entriesOfHalfTheBoundAreRestartPointsInPairs() {
        add(10, BlockBuilder.MAX_RESTART_BYTES / 2);
        assertThat(block.restarts()).isEqualTo(5);
    }

    private void add(int entries, int valueBytes) {
        for (int i = 0; i < entries; i++) {
            block.add(Bytes.utf8(String.format("row%03d", i)), Bytes.wrap(new byte[valueBytes]));
        }
    }
}
