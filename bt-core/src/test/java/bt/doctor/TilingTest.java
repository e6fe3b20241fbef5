package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.coord.Paths;
import bt.doctor.Seam.Edge;
import bt.metadata.MetadataSchema;
import bt.metadata.TableFile;
import bt.model.RowRange;
import bt.record.TableRecord;
import bt.record.TabletState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The first invariant broken at the ends of a table, and in METADATA itself. */
class TilingTest {
    @Test
    void rowsBeforeATablesFirstTabletAreNamed() {
        Patient.treat(81, patient -> {
            patient.alter(Patient.FIRST, state -> TabletState.newBuilder(state)
                    .setPreviousEndRow(AvroBytes.buffer(Bytes.utf8("b")))
                    .build());
            assertThat(patient.examine().findings())
                    .contains(new Finding(
                            Rule.TILING,
                            new Place("t", Optional.of(RowRange.of(Bytes.EMPTY, Bytes.utf8("b\0"))), ""),
                            "no tablet has these rows: 1/h, the table's first, begins behind"));
        });
    }

    @Test
    void aTableWithoutAnyTabletIsNamed() {
        Patient.treat(82, patient -> {
            patient.cluster.crashActiveMaster();
            TableRecord table = TableFile.decode(
                    "table", patient.locks.read(Paths.table(1)).orElseThrow().content());
            table.setId(50L);
            table.setName("empty");
            patient.locks.create(Paths.table(50), TableFile.encode(table));
            assertThat(patient.examine().findings())
                    .contains(new Finding(
                            Rule.TILING,
                            new Place("empty", Optional.of(RowRange.ALL), ""),
                            "the table has no tablet at all"));
        });
    }

    @Test
    void rowsOfMetadataWithoutATabletAreTheEighth() {
        Edge root = new Edge(MetadataSchema.ROOT, true, Optional.empty());
        Edge last = new Edge(MetadataSchema.LAST, true, Optional.of(Bytes.hex("ff")));
        Seam seam = new Seam(List.of(root, last), false, false, Map.of());
        assertThat(new Tiling().check(seam))
                .singleElement()
                .matches(finding -> finding.rule() == Rule.METADATA
                        && finding.place().table().equals("METADATA")
                        && finding.fact().startsWith("no tablet has these rows"));
    }
}
