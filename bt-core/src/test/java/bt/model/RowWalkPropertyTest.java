package bt.model;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A walk comes by each row of its set once and in its order, wherever it is cut. */
class RowWalkPropertyTest {
    /** All rows of one or two bytes of three kinds. */
    private static final List<Bytes> ROWS = rows();

    @SeededTest(runs = 1000)
    void goesOnWhereItWasCutByTablets(RandomGenerator random) {
        List<Bytes> ends = ROWS.stream().filter(row -> random.nextInt(4) == 0).toList();
        RowWalk walk = walk(random);
        List<Bytes> passed = new ArrayList<>();
        for (RowWalk rest = walk; !rest.isEmpty(); ) {
            RowRange tablet = tablet(ends, rest.next());
            assertThat(tablet.contains(rest.next())).isTrue();
            passed.addAll(order(rest.within(tablet)));
            rest = rest.beyond(tablet);
        }
        assertThat(passed).isEqualTo(order(walk));
    }

    @SeededTest(runs = 1000)
    void goesOnBehindARow(RandomGenerator random) {
        RowWalk walk = walk(random);
        List<Bytes> all = order(walk);
        for (int i = 0; i < all.size(); i++) {
            RowWalk rest = walk.after(all.get(i));
            assertThat(order(rest)).isEqualTo(all.subList(i + 1, all.size()));
            if (!rest.isEmpty()) {
                assertThat(walk.from(rest.edge())).isEqualTo(rest);
            }
        }
    }

    @SeededTest(runs = 1000)
    void goesOnAtARow(RandomGenerator random) {
        RowWalk walk = walk(random);
        List<Bytes> all = order(walk);
        for (int i = 0; i < all.size(); i++) {
            RowWalk rest = walk.at(all.get(i));
            assertThat(order(rest)).isEqualTo(all.subList(i, all.size()));
            assertThat(walk.from(rest.edge())).isEqualTo(rest);
        }
    }

    @SeededTest(runs = 1000)
    void goesOnForSomeRangesAlone(RandomGenerator random) {
        RowWalk walk = walk(random);
        Bytes edge = ROWS.get(random.nextInt(ROWS.size()));
        int most = 1 + random.nextInt(4);
        List<RowRange> all = walk.from(edge).ranges();

        assertThat(walk.from(edge, most).ranges()).isEqualTo(all.subList(0, Math.min(most, all.size())));
        assertThat(walk.from(edge, most).reversed()).isEqualTo(walk.reversed());
    }

    @Test
    void aSetHasOneForm() {
        RowRange aToC = RowRange.of(Bytes.utf8("a"), Bytes.utf8("c"));
        RowRange cToE = RowRange.of(Bytes.utf8("c"), Bytes.utf8("e"));
        RowSet joined = RowSet.of(cToE, aToC, RowRange.row(Bytes.utf8("b")), RowRange.before(Bytes.EMPTY));
        assertThat(joined).isEqualTo(RowSet.of(RowRange.of(Bytes.utf8("a"), Bytes.utf8("e"))));
        assertThat(RowSet.of(aToC).union(RowSet.of(cToE))).isEqualTo(joined);
        assertThat(RowSet.rows(List.of(Bytes.utf8("b"))).isOneRow()).isTrue();
    }

    private static List<Bytes> order(RowWalk walk) {
        List<Bytes> rows =
                new ArrayList<>(ROWS.stream().filter(walk.rows()::contains).toList());
        if (walk.reversed()) {
            Collections.reverse(rows);
        }
        return rows;
    }

    /** The tablet that holds a row, of those that end with these rows. */
    private static RowRange tablet(List<Bytes> ends, Bytes row) {
        Optional<Bytes> before = Optional.empty();
        for (Bytes end : ends) {
            RowRange range = new TabletId(4, Optional.of(end)).range(before);
            if (range.contains(row)) {
                return range;
            }
            before = Optional.of(end);
        }
        return new TabletId(4, Optional.empty()).range(before);
    }

    private static RowWalk walk(RandomGenerator random) {
        List<RowRange> ranges = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            Bytes one = ROWS.get(random.nextInt(ROWS.size()));
            Bytes other = ROWS.get(random.nextInt(ROWS.size()));
            ranges.add(
                    switch (random.nextInt(6)) {
                        case 0 -> RowRange.row(one);
                        case 1 -> RowRange.from(one);
                        case 2 -> RowRange.upTo(one);
                        case 3 -> RowRange.prefix(one);
                        default -> RowRange.of(one, other);
                    });
        }
        return new RowWalk(new RowSet(ranges), random.nextBoolean());
    }

    private static List<Bytes> rows() {
        List<Bytes> rows = new ArrayList<>();
        int[] kinds = {0x00, 0x61, 0xff};
        for (int first : kinds) {
            rows.add(Bytes.wrap(new byte[] {(byte) first}));
            for (int second : kinds) {
                rows.add(Bytes.wrap(new byte[] {(byte) first, (byte) second}));
            }
        }
        return rows;
    }
}
