package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.model.Change;
import bt.model.RowMutation;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The worked example of docs/formats/metadata-row.md is what the code writes, byte by byte, and reads. */
class MetadataRowPageTest {
    private static final Path PAGE = Path.of("..", "docs", "formats", "metadata-row.md");

    private static final MetadataRow EXAMPLE = new MetadataRow(
            new TabletId(4, Optional.of(Bytes.utf8("com.z"))),
            7,
            2,
            new TabletLocation(Phase.SERVING, "h_9_ab", "h:9", 33L),
            TabletState.newBuilder(TabletStates.empty(Optional.of(Bytes.utf8("com.m"))))
                    .setFiles(List.of(FileReference.newBuilder()
                            .setPath("data/4/33/1")
                            .setBytes(4096)
                            .setFamilies(List.of(1))
                            .setSmallestSequence(10)
                            .setLargestSequence(19)
                            .build()))
                    .setRedoPoint(19)
                    .setLastServerTimestamp(1_000_000)
                    .setSchemaVersion(1)
                    .build());

    @Test
    void theExampleIsWhatTheCodeWrites() throws Exception {
        RowMutation written = MetadataRowCodec.encode(EXAMPLE, RowEvent.of("serving"));
        List<String> lines = new ArrayList<>();
        lines.add("row " + written.row().toHex());
        for (Change change : written.changes()) {
            Change.SetCell set = (Change.SetCell) change;
            if (!set.column().equals(MetadataSchema.EVENTS_COLUMN)) {
                lines.add(set.column() + " " + set.value().toHex());
            }
        }
        assertThat(example()).isEqualTo(lines);
    }

    @Test
    void theExampleIsReadAsWhatThePageSays() throws Exception {
        List<String> lines = example();
        assertThat(MetadataKeys.decode(value(lines.get(0)))).isEqualTo(EXAMPLE.id());
        assertThat(MetadataRowCodec.record("page", value(lines.get(1)), TabletLocation.class))
                .isEqualTo(EXAMPLE.location());
        TabletState state = MetadataRowCodec.record("page", value(lines.get(5)), TabletState.class);
        assertThat(state).isEqualTo(EXAMPLE.state());
        assertThat(AvroBytes.optionalBytes(state.getPreviousEndRow())).contains(Bytes.utf8("com.m"));
    }

    private static Bytes value(String line) {
        return Bytes.hex(line.substring(line.indexOf(' ') + 1));
    }

    /** The lines of the page's first block that is fenced as {@code metadata-row}. */
    private static List<String> example() throws Exception {
        List<String> page = Files.readAllLines(PAGE);
        int from = page.indexOf("```metadata-row") + 1;
        return page.subList(from, from + page.subList(from, page.size()).indexOf("```"));
    }
}
