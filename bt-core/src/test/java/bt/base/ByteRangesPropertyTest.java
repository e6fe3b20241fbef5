package bt.base;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Sets of ranges are sets of byte strings, tried with all strings of up to two bytes out of three. */
class ByteRangesPropertyTest {
    private static final TreeSet<Bytes> ALL = new TreeSet<>();

    static {
        ALL.add(Bytes.EMPTY);
        for (byte first : new byte[] {0, 1, (byte) 0xff}) {
            ALL.add(Bytes.wrap(new byte[] {first}));
            for (byte second : new byte[] {0, 1, (byte) 0xff}) {
                ALL.add(Bytes.wrap(new byte[] {first, second}));
            }
        }
    }

    @SeededTest(runs = 500)
    void areTheSetsThatTheyStandFor(RandomGenerator random) {
        List<ByteRange> some = some(random);
        List<ByteRange> others = some(random);
        ByteRanges a = new ByteRanges(some);
        ByteRanges b = new ByteRanges(others);
        for (Bytes bytes : ALL) {
            boolean inA = some.stream().anyMatch(range -> range.contains(bytes));
            boolean inB = others.stream().anyMatch(range -> range.contains(Slice.of(bytes)));
            assertThat(a.contains(bytes)).isEqualTo(inA);
            assertThat(a.union(b).contains(bytes)).isEqualTo(inA || inB);
            assertThat(a.intersect(b).contains(bytes)).isEqualTo(inA && inB);
            assertThat(a.complement().contains(bytes)).isEqualTo(!inA);
            assertThat(a.ceiling(bytes).filter(ALL::contains)).isEqualTo(ceiling(a, bytes));
        }
        // One form of one set.
        assertThat(a.complement().complement()).isEqualTo(a);
        assertThat(a.intersect(a.complement())).isEqualTo(ByteRanges.NONE);
        assertThat(a.union(b)).isEqualTo(b.union(a));
        assertThat(a.intersect(b).union(a)).isEqualTo(a);
        assertThat(a.intersect(a.union(b))).isEqualTo(a);
    }

    /** The first of the strings that are tried; the ranges begin and end at such. */
    private static Optional<Bytes> ceiling(ByteRanges ranges, Bytes from) {
        return ALL.tailSet(from, true).stream().filter(ranges::contains).findFirst();
    }

    private static List<ByteRange> some(RandomGenerator random) {
        return IntStream.range(0, random.nextInt(4)).mapToObj(i -> one(random)).toList();
    }

    private static ByteRange one(RandomGenerator random) {
        List<Bytes> ends = List.copyOf(ALL);
        int from = random.nextInt(ends.size());
        int to = from + 1 + random.nextInt(ends.size() - from);
        return new ByteRange(ends.get(from), to < ends.size() ? Optional.of(ends.get(to)) : Optional.empty());
    }
}
