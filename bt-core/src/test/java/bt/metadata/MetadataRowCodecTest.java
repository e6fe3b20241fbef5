package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.coord.SmallFile;
import bt.model.Cell;
import bt.model.Row;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.RootEvent;
import bt.record.TabletState;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MetadataRowCodecTest {
    @SeededTest
    void aRowComesBackFromItsCells(RandomGenerator random) throws Exception {
        MetadataRow row = MetadataRows.any(random);
        Row cells = MetadataRows.applied(MetadataRowCodec.encode(row, RowEvent.of("test")));
        assertThat(MetadataRowCodec.decode(cells)).isEqualTo(row);
        assertThat(MetadataRowCodec.isGone(cells)).isEqualTo(row.gone());
        if (!row.gone()) {
            assertThat(MetadataRowCodec.previousEndRow(cells)).isEqualTo(row.previousEndRow());
        }
    }

    /** A master has thousands of rows at a time, each of which names as many families for each of its files as the table has. */
    @Test
    void rowsNameTheFamiliesOfTheirFilesWithTheSameObject() throws Exception {
        List<Integer> families = IntStream.rangeClosed(1, 500).boxed().toList();
        MetadataRow any = MetadataRows.any(new Random(1));
        FileReference file = FileReference.newBuilder()
                .setPath("a")
                .setBytes(1)
                .setFamilies(families)
                .setSmallestSequence(1)
                .setLargestSequence(1)
                .build();
        TabletState state =
                TabletState.newBuilder(any.state()).setFiles(List.of(file)).build();
        MetadataRow row = new MetadataRow(any.id(), any.generation(), any.masterEpoch(), any.location(), state);
        Row cells = MetadataRows.applied(MetadataRowCodec.encode(row, RowEvent.of("test")));
        MetadataRow one = MetadataRowCodec.decode(cells);
        MetadataRow other = MetadataRowCodec.decode(cells);
        // What makes the next state of one copies all that it has.
        TabletState next =
                TabletState.newBuilder(one.state()).setGone(!one.gone()).build();
        MetadataRow changed = new MetadataRow(row.id(), row.generation() + 1, row.masterEpoch(), row.location(), next);
        assertThat(families(one)).isEqualTo(families).isSameAs(families(other)).isSameAs(families(changed));
    }

    private static List<Integer> families(MetadataRow row) {
        return row.state().getFiles().get(0).getFamilies();
    }

    @SeededTest
    void damageIsOfTheGenerationThatWroteIt(RandomGenerator random) throws Exception {
        MetadataRow row = MetadataRows.any(random);
        MetadataRow damaged = new MetadataRow(
                row.id(), row.generation(), row.masterEpoch(), row.location(), row.state(), Optional.of("file 7 at 0"));
        Row cells = MetadataRows.applied(MetadataRowCodec.encode(damaged, RowEvent.of("test")));
        assertThat(MetadataRowCodec.decode(cells)).isEqualTo(damaged);

        MetadataRow next =
                new MetadataRow(row.id(), row.generation() + 1, row.masterEpoch(), row.location(), row.state());
        List<Cell> both = new ArrayList<>(MetadataRows.applied(MetadataRowCodec.encode(next, RowEvent.of("test")))
                .cells());
        cells.cells().stream()
                .filter(cell -> cell.column().equals(MetadataSchema.DAMAGE_COLUMN))
                .forEach(both::add);
        assertThat(MetadataRowCodec.decode(new Row(cells.key(), both))).isEqualTo(next);
    }

    @SeededTest
    void theRootRowComesBackFromItsFile(RandomGenerator random) throws Exception {
        MetadataRow any = MetadataRows.any(random);
        MetadataRow root =
                new MetadataRow(MetadataSchema.ROOT, any.generation(), any.masterEpoch(), any.location(), any.state());
        List<RootEvent> events = List.of(new RootEvent(random.nextLong(), "served", random.nextBoolean()));
        SmallFile file = new SmallFile(RootRows.encode(root, events), root.generation(), 1, 1);
        assertThat(RootRows.decode(file)).isEqualTo(root);
    }

    @Test
    void aRootRowWithoutEventsIsRead() throws Exception {
        MetadataRow any = MetadataRows.any(new Random(1));
        MetadataRow root =
                new MetadataRow(MetadataSchema.ROOT, any.generation(), any.masterEpoch(), any.location(), any.state());
        Bytes content = RootRows.encode(root, List.of());
        Bytes before = Bytes.hex("03" + content.slice(1, content.length() - 1).toHex());
        assertThat(RootRows.decode(new SmallFile(before, root.generation(), 1, 1)))
                .isEqualTo(root);
    }

    @SeededTest
    void aRowWithoutOneOfItsColumnsIsCorruption(RandomGenerator random) {
        Row whole = MetadataRows.applied(MetadataRowCodec.encode(MetadataRows.any(random), RowEvent.of("test")));
        for (Cell missing : whole.cells()) {
            if (!missing.column().equals(MetadataSchema.EVENTS_COLUMN)) {
                List<Cell> rest = new ArrayList<>(whole.cells());
                rest.remove(missing);
                assertThatThrownBy(() -> MetadataRowCodec.decode(new Row(whole.key(), rest)))
                        .isInstanceOf(CorruptionException.class)
                        .hasMessageContaining(missing.column().toString());
            }
        }
    }

    @Test
    void theStartMustBeTheSameInBothFamilies() {
        MetadataRow row = MetadataRows.any(new Random(1));
        TabletState other =
                TabletState.newBuilder(row.state()).setGone(!row.gone()).build();
        Row cells = MetadataRows.applied(MetadataRowCodec.encode(row, RowEvent.of("test")));
        Row others = MetadataRows.applied(MetadataRowCodec.encode(
                new MetadataRow(row.id(), row.generation(), 0, row.location(), other), RowEvent.of("test")));
        List<Cell> mixed = new ArrayList<>(cells.cells());
        mixed.replaceAll(cell -> cell.column().equals(MetadataSchema.BEFORE_COLUMN)
                ? others.cell(MetadataSchema.BEFORE_COLUMN).orElseThrow()
                : cell);
        assertThatThrownBy(() -> MetadataRowCodec.decode(new Row(cells.key(), mixed)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("disagrees");
    }

    @Test
    void moreFieldsThanThisProgramKnowsAreRefused() {
        Bytes later = Bytes.hex("0c" + "00");
        assertThatThrownBy(() -> MetadataRowCodec.record("row", later, TabletState.class))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("12 fields, this program knows 11");
    }

    @Test
    void fieldsThatAnEarlierProgramDidNotKnowHaveTheirDefaults() throws Exception {
        Bytes state = MetadataRowCodec.record(TabletStates.empty(Optional.of(Bytes.utf8("m"))));
        Bytes withoutItsLastField =
                Bytes.hex("0a" + state.slice(1, state.length() - 1).toHex());
        assertThat(MetadataRowCodec.record("row", withoutItsLastField, TabletState.class))
                .isEqualTo(TabletStates.empty(Optional.of(Bytes.utf8("m"))));
    }

    @Test
    void aNewClustersRootTabletIsNobodys() throws Exception {
        MetadataRow root = RootRows.decode(new SmallFile(RootRows.unassigned(), 0, 1, 1));
        assertThat(root.id()).isEqualTo(MetadataSchema.ROOT);
        assertThat(root.location()).isEqualTo(TabletStates.unassigned());
        assertThat(root.range()).isEqualTo(new TabletId(0, MetadataSchema.ROOT.endRow()).range(Optional.empty()));
    }
}
