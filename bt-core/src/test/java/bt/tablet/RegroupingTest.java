package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.tablet.CompactionPlan.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many files a tablet has when its table is altered from one locality group to many. */
class RegroupingTest {
    private static final int GROUPS = 8;
    private static final long PROMISE = TimeUnit.DAYS.toMicros(1);

    private final TabletFixture fixture = new TabletFixture(schema(1, 1));

    RegroupingTest() throws BigtableException {}

    /** Families of so many groups in turns. */
    private static TableSchema schema(long version, int groupCount) {
        LocalityGroup like = LocalityGroup.DEFAULT;
        List<LocalityGroup> groups = new ArrayList<>();
        List<FamilySchema> families = new ArrayList<>();
        for (int i = 0; i < groupCount; i++) {
            groups.add(new LocalityGroup("g" + i, like.blockBytes(), like.codec(), like.inMemory(), like.bloom()));
        }
        for (int i = 0; i < GROUPS; i++) {
            families.add(new FamilySchema(i + 1, "f" + i, "g" + i % groupCount, GcRule.KEEP_ALL).purgedWithin(PROMISE));
        }
        return new TableSchema(4, "web", version, GROUPS + 1, TableSchema.Durability.SYNC, families, groups);
    }

    private static RowMutation put(String row) {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int i = 0; i < GROUPS; i++) {
            mutation.set(ColumnKey.of("f" + i, "q"), Bytes.EMPTY);
        }
        return mutation.build();
    }

    private void adopt(TableSchema schema) {
        fixture.schema = schema;
        fixture.tablet.adopt(schema);
    }

    private int files() {
        return fixture.tablet.files().size();
    }

    private void flush() throws Exception {
        fixture.freeze();
        fixture.compactWithFiles();
    }

    @Test
    void whereMemoryIsShortAMemtableBecomesAsManyFilesAsItWasCountedFor() throws Exception {
        fixture.apply(put("a"));
        adopt(schema(2, GROUPS));
        fixture.apply(put("b"));
        fixture.isPressed = true;
        assertThat(fixture.tablet.foreseen().files()).isEqualTo(1);
        flush();
        assertThat(files()).isEqualTo(1);

        assertThat(fixture.tablet.newOf(put("c"))).isEqualTo(Foreseen.NOTHING);
        fixture.apply(put("c"));
        flush();
        assertThat(fixture.tend()).isZero();
        assertThat(files()).as("merged with that of its families").isEqualTo(1);
        fixture.isPressed = false;
        assertThat(fixture.tend()).isEqualTo(1);
        assertThat(files()).isEqualTo(GROUPS);
    }

    @Test
    void whereThereIsMemoryAMemtableFollowsTheNewGroupingAtOnce() throws Exception {
        fixture.apply(put("a"));
        adopt(schema(2, GROUPS));
        flush();
        assertThat(files()).isEqualTo(GROUPS);
    }

    @Test
    void whatIsPromisedToBeOffTheDiskGoesThoughMemoryIsShortAndFilesBecomeNoMore() throws Exception {
        fixture.apply(put("a"));
        fixture.apply(RowMutation.of("a").deleteRow().build());
        fixture.apply(put("b"));
        fixture.flush();
        adopt(schema(2, GROUPS));
        fixture.isPressed = true;
        fixture.clock.set(fixture.clock.micros() + PROMISE);

        assertThat(fixture.tablet.compactions().plan())
                .get()
                .extracting(CompactionPlan::reason)
                .isEqualTo(Reason.PURGE);
        assertThat(fixture.tend()).isEqualTo(1);
        assertThat(files()).isEqualTo(1);
        assertThat(fixture.tablet.census().files().get(0).deletions()).isZero();

        fixture.isPressed = false;
        assertThat(fixture.tend()).isEqualTo(1);
        assertThat(files()).isEqualTo(GROUPS);
    }

    @Test
    void whereMemoryIsShortFilesOfAnEarlierGroupingAreMergedAsOne() throws Exception {
        for (String row : List.of("a", "b", "c")) {
            fixture.apply(put(row));
            fixture.flush();
        }
        adopt(schema(2, GROUPS));
        fixture.isPressed = true;
        assertThat(fixture.tablet.compactions().plan())
                .get()
                .extracting(CompactionPlan::reason)
                .isEqualTo(Reason.MEMORY);
        assertThat(fixture.tend()).isEqualTo(1);
        assertThat(files()).isEqualTo(1);
    }
}
