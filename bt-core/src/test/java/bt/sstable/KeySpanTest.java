package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.testing.SeededTest;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What is kept of two keys, beside the keys themselves. */
class KeySpanTest {
    private static final Bytes BEGINNING = Bytes.utf8("k".repeat(KeySpan.KEPT_BYTES));

    @SeededTest(runs = 2_000)
    void itIsCertainOfNothingThatIsNotSo(RandomGenerator random) {
        Bytes one = SSTables.longKey(random);
        Bytes other = SSTables.longKey(random);
        Bytes smallest = one.compareTo(other) < 0 ? one : other;
        Bytes largest = one.compareTo(other) < 0 ? other : one;
        KeySpan span = span(smallest, largest);
        for (int i = 0; i < 20; i++) {
            Bytes key = i == 0 ? smallest : i == 1 ? largest : SSTables.longKey(random);
            // Where the kept beginnings tell, it errs in nothing.
            if (smallest.compareTo(key) < 0 || !beginLikeOneAnother(smallest, key)) {
                assertThat(span.mayBeginBelow(key)).isEqualTo(smallest.compareTo(key) < 0);
            }
            if (largest.compareTo(key) >= 0 || !beginLikeOneAnother(largest, key)) {
                assertThat(span.mayReach(key)).isEqualTo(largest.compareTo(key) >= 0);
            }
        }
        assertThat(largest.startsWith(span.largest())).isTrue();
    }

    private static boolean beginLikeOneAnother(Bytes one, Bytes other) {
        return one.sharedLength(other) >= KeySpan.KEPT_BYTES;
    }

    @Test
    void ofKeysThatAreNotLongItKnowsAll() {
        KeySpan span = span(BEGINNING, BEGINNING);
        assertThat(span.mayBeginBelow(BEGINNING)).isFalse();
        assertThat(span.mayBeginBelow(BEGINNING.successor())).isTrue();
        assertThat(span.mayReach(BEGINNING)).isTrue();
        assertThat(span.mayReach(BEGINNING.successor())).isFalse();
        assertThat(span.largest()).isEqualTo(BEGINNING);
    }

    @Test
    void whatLiesBehindTheBeginningOfALongKeyMayBeOnEitherSide() {
        Bytes key = Bytes.utf8("k".repeat(131_000));
        KeySpan span = span(key, key);
        Bytes below = key.slice(0, 130_000);
        assertThat(span.mayBeginBelow(below)).isTrue();
        assertThat(span.mayBeginBelow(BEGINNING)).isFalse();
        assertThat(span.mayReach(key.successor())).isTrue();
        assertThat(span.mayReach(Bytes.utf8("l"))).isFalse();
        assertThat(span.bytes()).isEqualTo(2 * KeySpan.KEPT_BYTES);
    }

    private static KeySpan span(Bytes smallest, Bytes largest) {
        return KeySpan.of(smallest.toBuffer(), largest.toBuffer());
    }
}
