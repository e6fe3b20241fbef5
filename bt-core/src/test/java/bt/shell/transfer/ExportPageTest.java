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
    void theCsvOfOthersOnThePageIsReadSo() throws Exception {
        String page = page();
        String others = page.substring(page.indexOf("## CSV of others"));
        CsvMapping mapping =
                CsvMapping.parse("id", Optional.empty(), List.of("name=info:name", "age=info:age", "note=info:note"));
        assertThat(others).contains("--key id --columns name=info:name,age=info:age,note=info:note --raw");
        byte[] file = block("csv", others).getBytes(StandardCharsets.UTF_8);
        assertThat(read(new CsvLayout(Optional.of(mapping), true).reader(new ByteArrayInputStream(file))))
                .extracting(cell -> cell.row() + " " + cell.column() + " " + cell.value())
                .containsExactly(
                        "k1 info:name Ada \"A.\" L",
                        "k1 info:age 36",
                        "k1 info:note C:\\\\temp",
                        "k2 info:name Zoe",
                        "k2 info:note two\\x0alines",
                        "k3 info:name ",
                        "k3 info:age 7");
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
        return read(format.reader(new ByteArrayInputStream(file)));
    }

    private static List<Cell> read(CellReader reader) throws Exception {
        List<Cell> cells = new ArrayList<>();
        try (CellReader in = reader) {
            for (Optional<List<Cell>> record = in.next(); record.isPresent(); record = in.next()) {
                cells.addAll(record.get());
            }
        }
        return cells;
    }

    private static String page() throws Exception {
        return Files.readString(Path.of("..", "docs", "formats", "export.md"));
    }

    private static String block(String language) throws Exception {
        return block(language, page());
    }

    private static String block(String language, String page) {
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private static Cell cell(Bytes row, ColumnKey column, long timestamp, String value) {
        return new Cell(row, column, timestamp, Bytes.utf8(value));
    }
}
