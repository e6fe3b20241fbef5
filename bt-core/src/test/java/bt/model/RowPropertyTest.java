package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import bt.base.Bytes;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A row finds in its cells what a walk through all of them finds. */
class RowPropertyTest {
    private static final Bytes KEY = Bytes.utf8("r");

    @SeededTest(runs = 1000)
    void findsWhatAWalkFinds(RandomGenerator random) {
        List<Cell> cells = cells(random);
        Row row = new Row(KEY, cells);
        for (String family : List.of("a", "b", "c", "d")) {
            assertThat(row.cells(family)).isEqualTo(those(cells, family));
            for (int i = 0; i < 42; i++) {
                ColumnKey column = new ColumnKey(family, qualifier(i));
                List<Cell> versions = those(cells, family).stream()
                        .filter(cell -> cell.column().equals(column))
                        .toList();
                assertThat(row.cells(column)).isEqualTo(versions);
                assertThat(row.cell(column)).isEqualTo(versions.stream().findFirst());
                assertThat(row.value(column))
                        .isEqualTo(versions.stream().findFirst().map(Cell::value));
            }
        }
    }

    @Test
    void eachOfAHundredThousandColumnsIsFoundAtOnce() {
        List<Cell> cells = IntStream.range(0, 100_000)
                .mapToObj(i -> new Cell(KEY, ColumnKey.of("f", String.format("%06d", i)), 1, Bytes.utf8("" + i)))
                .toList();
        Row row = new Row(KEY, cells);
        // A tenth of a second; it is minutes where each look-up walks.
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (Cell cell : cells) {
                assertThat(row.value(cell.column()).orElseThrow()).isSameAs(cell.value());
            }
        });
    }

    private static List<Cell> those(List<Cell> cells, String family) {
        return cells.stream()
                .filter(cell -> cell.column().family().equals(family))
                .toList();
    }

    /** Families in any order, as their ids are; some without a cell. */
    private static List<Cell> cells(RandomGenerator random) {
        List<String> families = new ArrayList<>(List.of("a", "b", "c", "d"));
        Collections.shuffle(families, new Random(random.nextLong()));
        List<Cell> cells = new ArrayList<>();
        for (String family : families) {
            int columns = random.nextInt(4) == 0 ? 0 : random.nextInt(40);
            for (int i = 0; i < columns; i++) {
                int versions = random.nextInt(4);
                for (int version = versions; version > 0; version--) {
                    cells.add(
                            new Cell(KEY, new ColumnKey(family, qualifier(i)), version, Bytes.utf8(family + version)));
                }
            }
        }
        return cells;
    }

    /** In the order of their numbers, above and below a byte's sign; the first is empty. */
    private static Bytes qualifier(int number) {
        return number == 0 ? Bytes.EMPTY : Bytes.wrap(new byte[] {(byte) (number * 6), (byte) number});
    }
}
