package bt.shell.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.record.ExportedCell;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.Test;

/** docs/formats/export.md tells the truth. */
class ExportPageTest {
    private static final List<Cell> CELLS = List.of(
            cell(Bytes.utf8("com.cnn.www"), ColumnKey.of("anchor", "cnnsi.com"), 1700000000000001L, "CNN"),
            cell(
                    Bytes.utf8("com.cnn.www"),
                    ColumnKey.of("anchor", "cnnsi.com"),
                    1700000000000000L,
                    "\"CNN\", the old one"),
            cell(Bytes.hex("6b657900ff"), ColumnKey.of("contents", ""), 7, "a\\b\n"));

    @Test
    void theCsvOnThePageIsReadAndWrittenSo() throws Exception {
        byte[] page = block("csv").getBytes(StandardCharsets.UTF_8);
        assertThat(read(CellFormat.CSV, page)).isEqualTo(CELLS);
        assertThat(written(CellFormat.CSV)).isEqualTo(page);
    }

    @Test
    void theAvroSchemaOnThePageIsTheFilesOwn() throws Exception {
        Schema page = new Schema.Parser().parse(block("avsc"));
        assertThat(page.getFullName()).isEqualTo(ExportedCell.getClassSchema().getFullName());
        assertThat(compatible(page, ExportedCell.getClassSchema())).isTrue();
        assertThat(compatible(ExportedCell.getClassSchema(), page)).isTrue();
        assertThat(read(CellFormat.AVRO, written(CellFormat.AVRO))).isEqualTo(CELLS);
    }

    private static boolean compatible(Schema reader, Schema writer) {
        return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                        .getType()
                == SchemaCompatibilityType.COMPATIBLE;
    }

    private static byte[] written(CellFormat format) throws Exception {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (CellWriter out = format.writer(file)) {
            for (Cell cell : CELLS) {
                out.write(cell);
            }
        }
        return file.toByteArray();
    }

    private static List<Cell> read(CellFormat format, byte[] file) throws Exception {
        List<Cell> cells = new ArrayList<>();
        try (CellReader in = format.reader(new ByteArrayInputStream(file))) {
            for (Optional<Cell> cell = in.next(); cell.isPresent(); cell = in.next()) {
                cells.add(cell.get());
            }
        }
        return cells;
    }

    private static String block(String language) throws Exception {
        String page = Files.readString(Path.of("..", "docs", "formats", "export.md"));
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private static Cell cell(Bytes row, ColumnKey column, long timestamp, String value) {
        return new Cell(row, column, timestamp, Bytes.utf8(value));
    }
}
