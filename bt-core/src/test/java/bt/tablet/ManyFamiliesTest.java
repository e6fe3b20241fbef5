package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Bloom;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.Timestamps;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a table of as many families, or of as many locality groups, as there may be costs its server: others wait for the same threads. */
class ManyFamiliesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FAMILIES = Limits.FAMILIES;

    /** More than there may be: each looked at is thousands of times as long. */
    private static final int COUNTED = 10_000;

    private static final int FILLED = 100;
    private static final int CHANGES = 20_000;

    /** How many times as long something may take as in a table of one family; each family looked at is dozens of times. */
    private static final double MOST_TIMES = 8;

    private static final int ATTEMPTS = 3;

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    @Test
    void aWriteIsJudgedAndResolvedAsSoonAsOneInATableOfOneFamily() throws Exception {
        for (Timestamps by : new Timestamps[] {Timestamps.EITHER, Timestamps.SERVER}) {
            double few = write(families(1, by));
            double many = write(families(FAMILIES, by));
            assertThat(many / few).as("%s, %.0f and %.0f ns", by, few, many).isLessThan(MOST_TIMES);
        }
    }

    /** All changes are in the last one. */
    private static double write(TableSchema schema) throws Exception {
        String last = schema.families().get(schema.families().size() - 1).name();
        RowMutation.Builder builder = RowMutation.of("r");
        for (int i = 0; i < CHANGES; i++) {
            builder.set(ColumnKey.of(last, "q" + i), Bytes.EMPTY);
        }
        RowMutation mutation = builder.build();
        return best(() -> {
            judge(mutation, schema);
            assertThat(Resolver.resolve(mutation, schema, 1, 1).entries()).hasSize(CHANGES);
        });
    }

    private static void judge(RowMutation mutation, TableSchema schema) throws RejectedException {
        TimestampCheck.check(mutation, schema);
        MutationCheck.check(mutation, schema);
    }

    @Test
    void aMemtableCountsForTheLastFamiliesInTurnsAsForTheFirst() throws Exception {
        FamilyCounts counts = new FamilyCounts();
        for (int family = 1; family <= COUNTED; family++) {
            counts.add(family, 1, FamilyCounts.Change.PUT, 1);
        }
        assertThat(counts.sizes()).hasSize(COUNTED);
        double first = best(() -> inTurns(counts, 1));
        double last = best(() -> inTurns(counts, COUNTED - 1));
        assertThat(last / first).as("%.0f and %.0f ns", first, last).isLessThan(MOST_TIMES);
    }

    private static void inTurns(FamilyCounts counts, int family) {
        for (int i = 0; i < CHANGES; i++) {
            counts.add(family + i % 2, 1, FamilyCounts.Change.PUT, 1);
        }
    }

    /** Flushes and refusals go by it: a server whose tablets have short cells of many families ended before its first flush. */
    @Test
    void whatAMemtableHoldsIsWhatItTakesOfTheHeapHoweverManyFamiliesThereAre() throws Exception {
        for (int families : new int[] {1, 8, 9, 60, FAMILIES}) {
            TableSchema schema = families(families, Timestamps.EITHER);
            ResolvedMutation row = Resolver.resolve(cellInEach(schema), schema, 1, 1);
            Memtable[] filled = new Memtable[FILLED];
            fill(filled, row);
            long each = allocated(() -> fill(filled, row)) / FILLED;
            assertThat(filled[0].bytes())
                    .as("of %d families, where %d bytes were allocated", families, each)
                    .isBetween(each * 3 / 4, each * 3 / 2);
        }
    }

    private static void fill(Memtable[] memtables, ResolvedMutation row) {
        for (int i = 0; i < memtables.length; i++) {
            memtables[i] = new Memtable();
            memtables[i].apply(row);
        }
    }

    private static RowMutation cellInEach(TableSchema schema) {
        RowMutation.Builder row = RowMutation.of("r");
        schema.families().forEach(family -> row.set(ColumnKey.of(family.name(), "q"), Bytes.EMPTY));
        return row.build();
    }

    /** The square of the families was 8 GB of objects, on the thread that all loads and looks go through. */
    @Test
    void aCensusMakesSomeObjectsOfEachFamily() throws Exception {
        TabletFixture fixture = new TabletFixture(families(FAMILIES, Timestamps.EITHER));
        RowMutation row = cellInEach(fixture.schema);
        fixture.apply(row);
        assertThat(allocated(() -> assertThat(fixture.tablet.census().memory()).hasSize(FAMILIES)))
                .isLessThan(FAMILIES * 4_000L);
        fixture.flush();
        fixture.apply(row);
        assertThat(allocated(() -> assertThat(fixture.tablet.census().files()).hasSize(1)))
                .isLessThan(FAMILIES * 4_000L);
        assertThat(fixture.tablet.census().files().get(0).cells()).hasSize(FAMILIES);
    }

    /** It is in the file of each group, all of which are open at once. */
    @Test
    void aRowThatIsDeletedIsWrittenWithoutMuchMemory() throws Exception {
        List<LocalityGroup> groups = IntStream.range(0, Limits.LOCALITY_GROUPS)
                .mapToObj(i -> new LocalityGroup("g" + i, 64 << 10, "none", false, Bloom.ROW))
                .toList();
        List<FamilySchema> families = IntStream.range(0, Limits.LOCALITY_GROUPS)
                .mapToObj(i -> new FamilySchema(i + 1, "f" + i, "g" + i, GcRule.KEEP_ALL))
                .toList();
        TabletFixture fixture = new TabletFixture(
                new TableSchema(4, "t", 1, Limits.LOCALITY_GROUPS + 1, TableSchema.Durability.SYNC, families, groups));
        fixture.apply(cellInEach(fixture.schema));
        fixture.flush();
        fixture.apply(RowMutation.of("r").deleteRow().build());
        assertThat(allocated(fixture::flush)).isLessThan(64L << 20);
        assertThat(fixture.tablet.files()).hasSize(2 * Limits.LOCALITY_GROUPS);
    }

    private static TableSchema families(int count, Timestamps by) {
        List<FamilySchema> families = IntStream.rangeClosed(1, count)
                .mapToObj(i -> new FamilySchema(i, "f%05d".formatted(i), "g", GcRule.KEEP_ALL).stamped(by))
                .toList();
        return new TableSchema(
                4,
                "t",
                1,
                count + 1,
                TableSchema.Durability.SYNC,
                families,
                List.of(new LocalityGroup("g", 64 << 10, "none", false, Bloom.ROW)));
    }

    private static long allocated(Work work) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** Of this thread's processor time, in nanoseconds. */
    private static double best(Work work) throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS; i++) {
            long before = THREADS.getCurrentThreadCpuTime();
            work.run();
            best = Math.min(best, THREADS.getCurrentThreadCpuTime() - before);
        }
        return (double) best;
    }
}
