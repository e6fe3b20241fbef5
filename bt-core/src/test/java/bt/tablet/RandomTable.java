package bt.tablet;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.model.Bloom;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Regex;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.model.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows, columns and times out of so few that everything meets everything. */
final class RandomTable {
    /** The clock of the tests begins here; client timestamps lie on both sides. */
    static final long EPOCH = 100;

    private static final List<String> FAMILIES = List.of("one", "all", "young", "both");
    private static final long[] ODD_TIMES = {Long.MIN_VALUE + 1, -1, Long.MAX_VALUE - 1, Long.MAX_VALUE};

    private static final List<String> REGEXES = List.of(
            ".*", "r[a-c]", "r.*", "ra", "^r[^a]", ".*l.*", "one|both", "\\x00", "|\\x01", "[\\x00-\\x7f]*", "..+.");

    private final RandomGenerator random;
    private final boolean narrow;

    RandomTable(RandomGenerator random) {
        this(random, false);
    }

    private RandomTable(RandomGenerator random, boolean narrow) {
        this.random = random;
        this.narrow = narrow;
    }

    /** One column of few versions, and often single ones are deleted. */
    static RandomTable ofOneColumn(RandomGenerator random) {
        return new RandomTable(random, true);
    }

    static TableSchema schema(long tableId) {
        GcRule versions = new GcRule.MaxVersions(2);
        GcRule age = new GcRule.MaxAge(40);
        List<FamilySchema> families = List.of(
                new FamilySchema(1, "one", "default", new GcRule.MaxVersions(1)),
                new FamilySchema(2, "all", "default", GcRule.KEEP_ALL),
                new FamilySchema(4, "young", "fast", new GcRule.Any(List.of(age, versions))),
                new FamilySchema(7, "both", "large", new GcRule.Every(List.of(age, versions))));
        List<LocalityGroup> groups = List.of(
                LocalityGroup.DEFAULT,
                new LocalityGroup("fast", 1 << 10, "none", true, Bloom.NONE),
                new LocalityGroup("large", 1 << 10, "zstd", false, Bloom.ROW_AND_COLUMN));
        return new TableSchema(tableId, "usertable", 1, 8, TableSchema.Durability.SYNC, families, groups);
    }

    /** Of one family with any rule. */
    TableSchema schemaOfOneColumn() {
        GcRule limit = new GcRule.MaxVersions(1 + random.nextInt(3));
        GcRule age = new GcRule.MaxAge(25);
        GcRule rule =
                switch (random.nextInt(6)) {
                    case 0 -> new GcRule.Every(List.of(age, limit));
                    case 1 -> new GcRule.Any(List.of(age, limit));
                    case 2 -> new GcRule.Any(List.of(new GcRule.MaxVersions(3), new GcRule.Every(List.of(age, limit))));
                    default -> limit;
                };
        FamilySchema family = new FamilySchema(1, "one", "default", rule);
        return new TableSchema(
                4, "usertable", 1, 2, TableSchema.Durability.SYNC, List.of(family), List.of(LocalityGroup.DEFAULT));
    }

    /** Of one family that nothing is garbage in. */
    TableSchema schemaThatKeepsAll() {
        FamilySchema family = new FamilySchema(1, "one", "default", GcRule.KEEP_ALL);
        return new TableSchema(
                4, "usertable", 1, 2, TableSchema.Durability.SYNC, List.of(family), List.of(LocalityGroup.DEFAULT));
    }

    /** Some times, before or behind something else or beside it. */
    Filter filterOfTimes() {
        return switch (random.nextInt(6)) {
            case 0 -> new Filter.Chain(List.of(filter(), times()));
            case 1 -> new Filter.Chain(List.of(times(), filter()));
            case 2 -> new Filter.Interleave(List.of(times(), times()));
            case 3 -> new Filter.Condition(filter(), times(), times());
            default -> times();
        };
    }

    private Filter times() {
        long some = timestamp();
        long other = timestamp();
        return new Filter.Times(Math.min(some, other), Math.max(some, other));
    }

    Bytes row() {
        if (narrow) {
            return Bytes.utf8("r");
        }
        return Bytes.wrap(new byte[] {'r', (byte) (random.nextInt(4) == 0 ? 0 : 'a' + random.nextInt(6))});
    }

    RowMutation mutation() {
        RowMutation.Builder mutation = RowMutation.of(row());
        if (narrow) {
            return mutation.add(changeOfVersions()).build();
        }
        int changes = random.nextInt(5) == 0 ? 1 + random.nextInt(40) : 1 + random.nextInt(3);
        IntStream.range(0, changes).forEach(i -> mutation.add(change()));
        return mutation.build();
    }

    private Change changeOfVersions() {
        return switch (random.nextInt(12)) {
            case 0 -> change();
            case 1, 2, 3, 4 -> new Change.DeleteVersion(column(), timestamp());
            default -> new Change.SetCell(column(), timestamp(), value());
        };
    }

    private Change change() {
        return switch (random.nextInt(20)) {
            case 0 -> new Change.DeleteRow();
            case 1 -> new Change.DeleteFamily(family());
            case 2 -> new Change.DeleteColumn(column());
            case 3, 4, 5 -> new Change.DeleteVersion(column(), timestamp());
            case 6 -> {
                long oldest = timestamp();
                long newest = timestamp();
                yield new Change.DeleteVersions(column(), Math.min(oldest, newest), Math.max(oldest, newest));
            }
            case 7, 8, 9 -> new Change.SetCell(column(), Change.SERVER_TIME, value());
            default -> new Change.SetCell(column(), timestamp(), value());
        };
    }

    private String family() {
        return narrow ? "one" : FAMILIES.get(random.nextInt(FAMILIES.size()));
    }

    private ColumnKey column() {
        Bytes qualifier =
                narrow || random.nextInt(4) == 0 ? Bytes.EMPTY : Bytes.wrap(new byte[] {(byte) random.nextInt(2)});
        return new ColumnKey(family(), qualifier);
    }

    private long timestamp() {
        if (narrow) {
            return EPOCH - 50 + random.nextInt(4) * 30L;
        }
        return random.nextInt(20) == 0
                ? ODD_TIMES[random.nextInt(ODD_TIMES.length)]
                : EPOCH - 50 + random.nextInt(12) * 10L;
    }

    private Bytes value() {
        byte[] value = new byte[random.nextInt(10) == 0 ? random.nextInt(3000) : random.nextInt(20)];
        random.nextBytes(value);
        return Bytes.wrap(value);
    }

    RowRange range() {
        return switch (random.nextInt(4)) {
            case 0 -> RowRange.ALL;
            case 1 -> RowRange.row(row());
            case 2 -> RowRange.from(row());
            default -> {
                Bytes a = row();
                Bytes b = row();
                yield a.compareTo(b) < 0 ? RowRange.of(a, b) : RowRange.of(b, a);
            }
        };
    }

    /** Of rows and ranges, upwards or downwards. */
    RowWalk walk() {
        boolean several = random.nextInt(3) == 0;
        return new RowWalk(new RowSet(listOf(several ? 1 + random.nextInt(5) : 1, this::range)), random.nextBoolean());
    }

    Filter filter() {
        return filter(0);
    }

    private Filter filter(int depth) {
        int combined = depth > 3 ? 0 : 3;
        return switch (random.nextInt(17 + combined)) {
            case 0 -> Filter.NONE;
            case 1 -> new Filter.Families(listOf(1 + random.nextInt(2), this::family));
            case 2 -> new Filter.Columns(listOf(1 + random.nextInt(3), this::column));
            case 3 -> new Filter.Latest(1 + random.nextInt(2));
            case 4 -> new Filter.SkipLatest(1 + random.nextInt(2));
            case 5 -> new Filter.First(1 + random.nextInt(5));
            case 6 -> new Filter.SkipFirst(1 + random.nextInt(4));
            case 7 -> new Filter.Times(EPOCH - 50, EPOCH - 50 + random.nextInt(120));
            case 8 -> new Filter.Sample((1 + random.nextInt(9)) / 10.0);
            case 9 -> new Filter.Keys();
            case 10 -> new Filter.Label("label" + random.nextInt(3));
            case 11, 12 -> new Filter.Matches(part(), Regex.of(REGEXES.get(random.nextInt(REGEXES.size()))));
            case 13 -> new Filter.Within(part(), byteRange());
            case 14 -> Filter.ALL;
            case 15, 16 -> new Filter.Not(comparison());
            case 17 -> new Filter.Chain(listOf(2 + random.nextInt(3), () -> filter(depth + 1)));
            case 18 -> new Filter.Interleave(listOf(2 + random.nextInt(2), () -> filter(depth + 1)));
            default -> new Filter.Condition(filter(depth + 2), filter(depth + 1), filter(depth + 1));
        };
    }

    private Filter comparison() {
        long from = random.nextInt(4) == 0 ? Long.MIN_VALUE : EPOCH - 50 + random.nextInt(60);
        return switch (random.nextInt(6)) {
            case 0 -> new Filter.Families(listOf(1 + random.nextInt(2), this::family));
            case 1 -> new Filter.Columns(listOf(1 + random.nextInt(3), this::column));
            case 2 -> new Filter.Times(from, random.nextInt(4) == 0 ? Long.MAX_VALUE : EPOCH + 10 + random.nextInt(50));
            case 3 -> new Filter.Sample((1 + random.nextInt(9)) / 10.0);
            case 4 -> new Filter.Matches(part(), Regex.of(REGEXES.get(random.nextInt(REGEXES.size()))));
            default -> new Filter.Within(part(), byteRange());
        };
    }

    private Filter.Part part() {
        return List.of(Filter.Part.values()).get(random.nextInt(Filter.Part.values().length));
    }

    private ByteRange byteRange() {
        Bytes from = random.nextBoolean() ? row() : Bytes.wrap(new byte[random.nextInt(2)]);
        return switch (random.nextInt(3)) {
            case 0 -> new ByteRange(from, Optional.empty());
            case 1 -> ByteRange.only(from);
            default -> ByteRange.prefix(from);
        };
    }

    PageLimits limits() {
        return switch (random.nextInt(4)) {
            case 0 -> new PageLimits(1 + random.nextInt(3), 1 << 20, 1 << 20);
            case 1 -> new PageLimits(1 << 20, 1 + random.nextInt(10), 1 << 20);
            case 2 -> new PageLimits(1 << 20, 1 << 20, 1 + random.nextInt(2000));
            default -> PageLimits.DEFAULT;
        };
    }

    private static <T> List<T> listOf(int size, Supplier<T> element) {
        return Stream.generate(element).limit(size).toList();
    }
}
