package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Slice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stays in memory for a page. */
class PageValuesTest {
    private static final int PAGE = 448 << 10;
    private static final int BLOCK = 64 << 10;
    private static final int LONG = PageValues.LEAST_SHARED_BYTES;

    private static final int FROM = 7;

    private final PageValues values = new PageValues();
    private final List<byte[]> blocks = new ArrayList<>();
    private final List<Bytes> kept = new ArrayList<>();

    @Test
    void ofValuesFromManyBlocksMostAreCopies() {
        values.begin(PAGE);
        for (int i = 0; i < 2_000; i++) {
            keep(new byte[BLOCK], LONG);
        }

        assertThat(views()).isBetween(1L, 4L * PAGE / BLOCK);
    }

    @Test
    void allOfFewBlocksAreViews() {
        values.begin(PAGE);
        byte[][] few = new byte[6][BLOCK];
        for (int i = 0; i < 2_000; i++) {
            keep(few[i % few.length], LONG);
        }

        assertThat(views()).isEqualTo(kept.size());
    }

    @Test
    void shortValuesAreCopies() {
        values.begin(PAGE);
        keep(new byte[BLOCK], LONG - 1);

        assertThat(views()).isZero();
    }

    @Test
    void thePageBehindOneThatWasFullHasItsOwn() {
        values.begin(PAGE);
        for (int i = 0; i < 2_000; i++) {
            keep(new byte[BLOCK], LONG);
        }
        kept.clear();
        blocks.clear();
        values.begin(PAGE);
        keep(new byte[BLOCK], LONG);

        assertThat(views()).isOne();
    }

    private void keep(byte[] block, int length) {
        Slice slice = new Slice();
        slice.moveTo(block, FROM, length);
        blocks.add(block);
        kept.add(values.of(slice));
    }

    /** Of those that are kept: a copy does not change with what it was copied from. */
    private long views() {
        blocks.forEach(block -> block[FROM] = 1);
        return kept.stream().filter(value -> value.at(0) == 1).count();
    }
}
