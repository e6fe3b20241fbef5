package bt.shell.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Files that people import: any bytes are cells, which are written as a file that holds the same, or are refused with a reason. */
class CellReaderFuzzTest {
    /** More than are in a file of so many bytes, even where a block of no bytes holds some. */
    private static final int MOST_CELLS = 10_000;

    @FuzzTest
    void anyBytesAsCsv(byte[] bytes) throws Exception {
        List<Cell> cells = new ArrayList<>();
        try (CellReader reader = CsvLayout.OWN.reader(new ByteArrayInputStream(bytes))) {
            read(reader, cells);
        } catch (MalformedCellException | IOException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
        // Every cell that is exported has a timestamp, and the number that stands for none is refused.
        cells.removeIf(cell -> cell.timestamp() == Change.SERVER_TIME);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (CellWriter writer = new CsvCellWriter(written)) {
            for (Cell cell : cells) {
                writer.write(cell);
            }
        }
        List<Cell> again = new ArrayList<>();
        try (CellReader reader = CsvLayout.OWN.reader(new ByteArrayInputStream(written.toByteArray()))) {
            read(reader, again);
        }
        assertThat(again).isEqualTo(cells);
    }

    @FuzzTest
    void anyBytesAsRowsOfCsv(byte[] bytes) throws Exception {
        CsvMapping mapping =
                new CsvMapping("k", Optional.of("t"), Map.of(ColumnKey.of("f", "a"), "a", ColumnKey.of("f", "b"), "b"));
        for (boolean raw : new boolean[] {false, true}) {
            List<Cell> cells = new ArrayList<>();
            try (CellReader reader = new CsvLayout(Optional.of(mapping), raw).reader(new ByteArrayInputStream(bytes))) {
                read(reader, cells);
            } catch (MalformedCellException | IOException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
            assertThat(cells)
                    .allMatch(cell -> !cell.row().isEmpty() && mapping.columns().containsKey(cell.column()));
        }
    }

    @FuzzTest
    void anyBytesAsAvro(byte[] bytes) {
        try (CellReader reader = new AvroCellReader(new ByteArrayInputStream(bytes))) {
            read(reader, new ArrayList<>());
        } catch (MalformedCellException | IOException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    private static void read(CellReader reader, List<Cell> into) throws IOException, MalformedCellException {
        for (Optional<List<Cell>> next = reader.next();
                next.isPresent() && into.size() < MOST_CELLS;
                next = reader.next()) {
            into.addAll(next.get());
        }
    }
}
