package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.sstable.Access;
import bt.sstable.Cursor;
import bt.testing.SeededTest;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * What was deleted, or became garbage, longer ago than its family promises is in no file, whatever happens to the tablet in
 * between: writes, flushes, compactions, splits, regroupings, crashes, all in random order on a clock that goes on.
 */
class PurgePropertyTest {
    private static final long MINUTE = 60_000_000L;
    private static final long PROMISE = FamilySchema.MIN_PURGE_MICROS;
    private static final long BEGIN = 1_000_000 * MINUTE;
    private static final List<String> FAMILIES = List.of("limit", "all", "age", "any", "every");

    /** Those that are written to, and whether anything is deleted: or what one has to be compacted for hides the others. */
    private List<String> families = FAMILIES;

    private boolean deletes = true;

    /** What rows begin with: sometimes more than is kept of a file's keys. */
    private String beginning = "r";

    /** The highest sequence at a time. */
    private final TreeMap<Long, Long> acknowledged = new TreeMap<>();

    @SeededTest(runs = 25)
    void whatIsDeletedIsInNoFileWhenThePromisedTimeIsOver(RandomGenerator random) throws Exception {
        TabletFixture fixture = new TabletFixture(schema());
        fixture.clock.set(BEGIN);
        fixture.reopen();
        acknowledged.put(Long.MIN_VALUE, 0L);
        if (random.nextInt(3) > 0) {
            families = List.of(FAMILIES.get(random.nextInt(FAMILIES.size())));
            deletes = random.nextInt(3) == 0;
        }
        beginning = random.nextInt(3) == 0 ? "r".repeat(300) : "r";
        for (int minute = 0; minute < 300; minute++) {
            if (minute < 200) {
                step(random, fixture);
            }
            fixture.clock.set(fixture.clock.micros() + MINUTE);
            fixture.tend();
            if (minute % 5 == 0) {
                checkFiles(fixture);
                assertThat(fixture.tablet.census().waiting()).noneMatch(Census.Waiting::isTooLong);
            }
        }
        assertThat(fixture.tablet
                        .read(ReadSpec.of(fixture.tablet.range(), Filter.ALL))
                        .cells())
                .isEqualTo(fixture.model.read(
                        fixture.tablet.range(), Filter.ALL, fixture.sequence(), fixture.clock.micros()));
        int compactions = 0;
        for (int minute = 0; minute < 600; minute++) {
            fixture.clock.set(fixture.clock.micros() + MINUTE);
            compactions += fixture.tend();
        }
        assertThat(compactions).as("an idle tablet comes to rest").isLessThan(8);
        assertThat(fixture.tablet.census().waiting()).isEmpty();
    }

    private static TableSchema schema() {
        GcRule limit = new GcRule.MaxVersions(2);
        GcRule age = new GcRule.MaxAge(60 * MINUTE);
        TableSchema plain = TableSchema.draft("usertable")
                .group(new LocalityGroup("apart", 1 << 10, "none", false, LocalityGroup.DEFAULT.bloom()))
                .family("limit", limit)
                .family("all", "apart", GcRule.KEEP_ALL)
                .family("age", "apart", age)
                .family("any", new GcRule.Any(List.of(age, limit)))
                .family("every", new GcRule.Every(List.of(age, limit)))
                .build();
        return new TableSchema(
                4,
                plain.name(),
                1,
                plain.nextFamilyId(),
                plain.durability(),
                plain.families().stream()
                        .map(family -> family.purgedWithin(PROMISE))
                        .toList(),
                plain.groups());
    }

    private void step(RandomGenerator random, TabletFixture fixture) throws Exception {
        for (int i = Math.max(0, random.nextInt(7) - 3); i > 0; i--) {
            Bytes row = Bytes.utf8(beginning + random.nextInt(4));
            RowMutation mutation = RowMutation.of(row)
                    .add(change(random, fixture.clock.micros()))
                    .build();
            if (fixture.tablet.range().contains(row)) {
                fixture.apply(mutation);
                acknowledged.put(fixture.clock.micros(), fixture.sequence());
            }
        }
        switch (random.nextInt(40)) {
            case 0 -> fixture.crash(random);
            case 1, 2, 3 -> fixture.flush();
            case 4 -> fixture.regroup(random);
            case 5 -> {
                Bytes row = Bytes.utf8(beginning + random.nextInt(4));
                if (fixture.tablet.canSplitAt(row)) {
                    fixture.split(row, random.nextBoolean());
                }
            }
            case 6, 7 -> fixture.freeze();
            case 8 -> fixture.isPressed = random.nextBoolean();
            default -> {}
        }
    }

    private Change change(RandomGenerator random, long nowMicros) {
        String family = families.get(random.nextInt(families.size()));
        ColumnKey column = ColumnKey.of(family, "q" + random.nextInt(2));
        long early = nowMicros - random.nextInt(100) * MINUTE;
        return switch (deletes ? random.nextInt(12) : 5 + random.nextInt(7)) {
            case 0 -> new Change.DeleteRow();
            case 1 -> new Change.DeleteFamily(family);
            case 2 -> new Change.DeleteColumn(column);
            case 3 -> new Change.DeleteVersions(column, early, nowMicros);
            case 4 -> new Change.DeleteVersion(column, early);
            case 5, 6 -> new Change.SetCell(column, early, Bytes.utf8("v" + random.nextInt(1000)));
            default -> new Change.SetCell(column, Change.SERVER_TIME, Bytes.utf8("v" + random.nextInt(1000)));
        };
    }

    /** Of what was there when the promised time began, files hold what was visible then and nothing else. */
    private void checkFiles(TabletFixture fixture) throws Exception {
        long then = fixture.clock.micros() - PROMISE;
        long sequence = acknowledged.floorEntry(then).getValue();
        List<Cell> visible = fixture.model.read(RowRange.ALL, Filter.ALL, sequence, then);
        for (TabletFile file : fixture.tablet.view().files()) {
            for (Cursor run : List.of(file.cells(Access.COMPACTION), file.deletions(Access.COMPACTION))) {
                while (run.next()) {
                    CellKey key = CellKey.decode(run.key().toBytes());
                    if (key.sequence() <= sequence) {
                        check(key, run.value().toBytes(), visible, fixture.schema);
                    }
                }
            }
        }
    }

    private static void check(CellKey key, Bytes value, List<Cell> visible, TableSchema schema) {
        if (key.kind() == Kind.PUT) {
            FamilySchema family = schema.family(key.family()).orElseThrow();
            ColumnKey column = new ColumnKey(family.name(), key.qualifier().orElseThrow());
            assertThat(visible).contains(new Cell(key.row(), column, key.timestamp(), value));
        } else {
            // Where a rule shows what fell out of its limit, what pushed it out is told for as long as that is shown.
            boolean tellsWhatFellOut = key.family() == 5
                    && List.of(Kind.GHOST, Kind.DELETE_VERSION, Kind.DELETE_VERSIONS)
                            .contains(key.kind());
            assertThat(tellsWhatFellOut).as("%s is left", key).isTrue();
        }
    }
}
