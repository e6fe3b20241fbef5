package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Bloom;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.testing.AtOnce;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That what is counted for memtables is what they bring that is new to their tablet. */
class ForeseenTest {
    private static final int GROUPS = Limits.LOCALITY_GROUPS;
    private static final int FAMILIES = 2 * GROUPS;

    private final TabletFixture fixture = new TabletFixture(schema(1, GROUPS));

    ForeseenTest() throws BigtableException {}

    /** Families of these groups in turns. */
    private static TableSchema schema(long version, int groupCount) {
        List<LocalityGroup> groups = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++) {
            groups.add(new LocalityGroup("g" + i, 64 << 10, "zstd", false, Bloom.ROW));
        }
        List<FamilySchema> families = new ArrayList<>();
        for (int i = 0; i < FAMILIES; i++) {
            families.add(new FamilySchema(i + 1, "f" + i, "g" + i % groupCount, GcRule.KEEP_ALL));
        }
        return new TableSchema(4, "web", version, FAMILIES + 1, TableSchema.Durability.SYNC, families, groups);
    }

    private static RowMutation put(int... families) {
        RowMutation.Builder row = RowMutation.of("r");
        for (int family : families) {
            row.set(ColumnKey.of("f" + family, "q"), Bytes.EMPTY);
        }
        return row.build();
    }

    private static RowMutation deletion() {
        return RowMutation.of("r").deleteRow().build();
    }

    @Test
    void whatIsNewIsForeseenAtItsFirstChange() throws Exception {
        assertThat(fixture.tablet.foresee(put(0, 1, GROUPS))).isEqualTo(new Foreseen(2, 3, 3));
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(2, 3, 3));
        assertThat(fixture.tablet.newOf(put(0, GROUPS + 1)))
                .as("another family of a group that is coming")
                .isEqualTo(new Foreseen(0, 1, 1));
        assertThat(fixture.tablet.newOf(put(0, GROUPS - 1))).isEqualTo(new Foreseen(1, 1, 1));
        assertThat(fixture.tablet.foresee(put(1, 0))).isEqualTo(Foreseen.NOTHING);

        fixture.apply(put(0, 1, GROUPS));
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(2, 3, 3));
        assertThat(fixture.tablet.newOf(put(GROUPS + 1, GROUPS))).isEqualTo(new Foreseen(0, 1, 1));
        assertThat(fixture.tablet.foresee(put(2))).isEqualTo(new Foreseen(1, 1, 1));
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(3, 4, 4));
    }

    /** It is written where there is something to hide. */
    @Test
    void theDeletionOfARowIsOfNoGroupThatTheTabletHasNothingOf() throws Exception {
        assertThat(fixture.tablet.foresee(deletion())).isEqualTo(Foreseen.NOTHING);
        fixture.apply(deletion());
        fixture.flush();
        assertThat(fixture.tablet.files()).isEmpty();
        assertThat(fixture.tablet.isInFiles()).isTrue();

        fixture.apply(put(5));
        fixture.flush();
        fixture.apply(put(7));
        fixture.apply(deletion());
        fixture.apply(put(9));
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(2, 2, 2));
        fixture.flush();
        assertThat(fixture.tablet.files()).hasSize(1 + 3);
        assertThat(cells()).isEqualTo(1);
    }

    /** What is going to be in files before it. */
    @Test
    void theDeletionOfARowIsOfTheGroupsOfOlderMemtables() throws Exception {
        fixture.apply(put(5));
        assertThat(fixture.tablet.freeze()).isPresent();
        fixture.apply(deletion());
        Frozen newer = fixture.tablet.freeze().orElseThrow();
        assertThat(AtOnce.write(fixture.tablet, newer).written()).hasSize(1);
    }

    private int cells() throws BigtableException {
        return fixture.tablet
                .read(ReadSpec.of(RowRange.ALL, Filter.ALL))
                .cells()
                .size();
    }

    /** As after a replay, which nobody foresees. */
    @Test
    void whatIsInAMemtableIsForeseenUntilItIsInFiles() throws Exception {
        fixture.apply(put(0, 1, 2));
        fixture.freeze();
        fixture.apply(put(3));
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(4, 4, 4));
        assertThat(fixture.tablet.newOf(put(0))).as("of a frozen memtable").isEqualTo(Foreseen.NOTHING);

        fixture.compact();
        assertThat(fixture.tablet.files()).hasSize(3);
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(1, 1, 1));
    }

    @Test
    void whatATabletHasFilesOfIsNotNewToIt() throws Exception {
        fixture.apply(put(0, 1));
        fixture.apply(deletion());
        fixture.freeze();
        fixture.compact();
        assertThat(fixture.tablet.newOf(put(0, 1))).isEqualTo(Foreseen.NOTHING);
        assertThat(fixture.tablet.newOf(deletion())).isEqualTo(Foreseen.NOTHING);
        assertThat(fixture.tablet.newOf(put(GROUPS)))
                .as("its file names the family, and has nothing of it")
                .isEqualTo(new Foreseen(0, 1, 1));

        assertThat(fixture.tablet.foresee(put(0))).isEqualTo(Foreseen.NOTHING);
        fixture.apply(put(0));
        assertThat(fixture.tablet.foreseen()).isEqualTo(Foreseen.NOTHING);
        fixture.apply(put(GROUPS));
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(0, 1, 1));
    }

    @Test
    void anotherSchemaMakesOtherFilesOfAMemtable() throws Exception {
        Foreseen unused = fixture.tablet.foresee(put(0, 1, 2));
        fixture.apply(put(0, 1, 2));
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(3, 3, 3));
        fixture.tablet.adopt(schema(2, 1));
        assertThat(fixture.tablet.foreseen()).isEqualTo(new Foreseen(1, 3, 3));
        assertThat(fixture.tablet.newOf(put(4))).isEqualTo(new Foreseen(0, 1, 1));
    }

    @Test
    void aFileFromBeforeItsFamiliesWereOfSeveralGroupsIsOfAllOfThem() throws Exception {
        TabletFixture regrouped = new TabletFixture(schema(1, 1));
        regrouped.apply(put(0, 1));
        regrouped.freeze();
        regrouped.compact();
        assertThat(regrouped.tablet.newOf(put(0))).isEqualTo(Foreseen.NOTHING);
        regrouped.tablet.adopt(schema(2, GROUPS));
        assertThat(regrouped.tablet.newOf(put(0, 1))).isEqualTo(Foreseen.NOTHING);
        assertThat(regrouped.tablet.newOf(put(2))).isEqualTo(new Foreseen(0, 1, 1));
        assertThat(regrouped.tablet.newOf(deletion())).isEqualTo(Foreseen.NOTHING);
        assertThat(regrouped.tablet.foresee(put(2, 3))).isEqualTo(new Foreseen(0, 2, 2));
        regrouped.apply(put(2, 3));
        assertThat(regrouped.tablet.foreseen()).isEqualTo(new Foreseen(0, 2, 2));
    }

    @Test
    void aMemtableWithChangesFromBeforeItsFamiliesWereOfSeveralGroupsIsOfAllOfThem() throws Exception {
        TabletFixture regrouped = new TabletFixture(schema(1, 1));
        assertThat(regrouped.tablet.foresee(put(0, 1))).isEqualTo(new Foreseen(1, 2, 2));
        regrouped.apply(put(0, 1));
        regrouped.tablet.adopt(schema(2, GROUPS));
        assertThat(regrouped.tablet.foresee(put(2))).isEqualTo(new Foreseen(0, 1, 1));
        regrouped.apply(put(2));
        assertThat(regrouped.tablet.foreseen()).isEqualTo(new Foreseen(1, 3, 3));
        assertThat(regrouped.tablet.newOf(deletion())).isEqualTo(Foreseen.NOTHING);

        regrouped.freeze();
        assertThat(regrouped.tablet.foreseen()).isEqualTo(new Foreseen(1, 3, 3));
        assertThat(regrouped.tablet.newOf(put(0)))
                .as("of the next memtable, of a grouping of its own")
                .isEqualTo(new Foreseen(1, 0, 1));
    }
}
