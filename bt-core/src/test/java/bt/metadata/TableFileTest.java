package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.AvroShape;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.record.TableRecord;
import bt.testing.FormatPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.junit.jupiter.api.Test;

/** A table's file is what docs/formats/table.md says, and is read whichever fields its writer knew. */
class TableFileTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("web").family("anchor", new GcRule.MaxVersions(3)).build();
    private static final TableRecord EXAMPLE = Schemas.encode(
            new TableSchema(4, "web", 1, DRAFT.nextFamilyId(), DRAFT.durability(), DRAFT.families(), DRAFT.groups()));

    private final FormatPage page;

    TableFileTest() throws IOException {
        page = FormatPage.of("table.md");
    }

    @Test
    void theExamplesAreWhatTheCodeWritesAndReads() throws Exception {
        assertThat(TableFile.encode(EXAMPLE)).isEqualTo(page.example("table-file"));
        assertThat(TableFile.decode("page", page.example("table-file"))).isEqualTo(EXAMPLE);
        assertThat(TableFile.decode("page", page.example("older-table-file"))).isEqualTo(EXAMPLE);
    }

    @Test
    void everyTypeOfRecordInATableHasItsCount() {
        Set<String> met = new HashSet<>();
        collect(TableRecord.getClassSchema(), met);
        assertThat(TableFile.FORM.types().stream()
                        .map(type -> SpecificData.get().getSchema(type).getFullName()))
                .containsExactlyInAnyOrderElementsOf(met);
    }

    /** Its records end where the first field would begin that it did not know, wherever they lie. */
    @Test
    void whatAnOlderProgramWroteHasDefaultsForWhatItDidNotKnow() throws Exception {
        for (int type : List.of(0, 1, 3)) {
            List<Integer> counts = new ArrayList<>(TableFile.FORM.counts());
            counts.set(type, counts.get(type) - 1);
            Bytes older = file(counts, written(counts));
            assertThat(older).isNotEqualTo(TableFile.encode(EXAMPLE));
            assertThat(TableFile.decode("older", older)).isEqualTo(EXAMPLE);
        }
    }

    @Test
    void aRecordByItselfIsReadAndSoIsOneOfBeforeLaterFieldsOfATable() throws Exception {
        List<Integer> counts = new ArrayList<>(TableFile.FORM.counts());
        counts.set(0, 11);
        Bytes whole = written(counts);
        assertThat(TableFile.decode("bare", whole)).isEqualTo(EXAMPLE);
        while (counts.get(0) > 8) {
            counts.set(0, counts.get(0) - 1);
            assertThat(TableFile.decode("bare", written(counts))).isEqualTo(EXAMPLE);
        }
        for (int length = 0; length < written(counts).length(); length++) {
            Bytes cut = whole.slice(0, length);
            assertThatThrownBy(() -> TableFile.decode("bare", cut)).isInstanceOf(CorruptionException.class);
        }
    }

    @Test
    void whatALaterProgramWroteIsRefusedForItWouldBeLostWithTheNextChange() {
        List<Integer> counts = new ArrayList<>(TableFile.FORM.counts());
        counts.set(1, counts.get(1) + 1);
        assertThatThrownBy(() -> TableFile.decode("tables/4", file(counts, AvroBytes.encode(EXAMPLE))))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith("tables/4")
                .hasMessageContaining("a FamilyRecord of 7 fields, this program knows 6: use a later one");
        List<Integer> more = new ArrayList<>(TableFile.FORM.counts());
        more.add(1);
        assertThatThrownBy(() -> TableFile.decode("tables/4", file(more, AvroBytes.encode(EXAMPLE))))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("10 types of records, this program knows 9: use a later one");
    }

    private static Bytes file(List<Integer> counts, Bytes record) {
        Output out = new Output().u8(0).varint(counts.size());
        counts.forEach(out::varint);
        return out.raw(record).toBytes();
    }

    /** The example as a program writes it that knows so many fields. */
    private static Bytes written(List<Integer> counts) throws IOException {
        Schema known = AvroShape.of(TableFile.FORM.types(), counts).of(TableRecord.getClassSchema());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        new SpecificDatumWriter<TableRecord>(known).write(EXAMPLE, encoder);
        return Bytes.wrap(out.toByteArray());
    }

    private static void collect(Schema schema, Set<String> met) {
        switch (schema.getType()) {
            case RECORD -> {
                if (met.add(schema.getFullName())) {
                    schema.getFields().forEach(field -> collect(field.schema(), met));
                }
            }
            case ARRAY -> collect(schema.getElementType(), met);
            case UNION -> schema.getTypes().forEach(type -> collect(type, met));
            default -> {}
        }
    }
}
