package bt.thrift.convert;

import bt.base.Bytes;
import bt.model.Bloom;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.Row;
import bt.model.TableSchema;
import bt.model.Timestamps;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Values of the data model drawn from a seed. */
record Arbitrary(RandomGenerator random) {
    /** Zero bytes, bytes above 127 and the empty string among them. */
    Bytes bytes() {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    Bytes key() {
        Bytes bytes = bytes();
        return bytes.isEmpty() ? Bytes.hex("00") : bytes;
    }

    ColumnKey column() {
        return new ColumnKey("family" + random.nextInt(5), bytes());
    }

    Row row() {
        Bytes key = key();
        return new Row(key, list(() -> new Cell(key, column(), random.nextLong(), bytes(), label())));
    }

    private String label() {
        return random.nextBoolean() ? "" : "\u20ac".repeat(random.nextInt(30));
    }

    Change change() {
        return switch (one(Change.Kind.values())) {
            case SET_CELL ->
                new Change.SetCell(column(), random.nextBoolean() ? Change.SERVER_TIME : random.nextLong(), bytes());
            case DELETE_ROW -> new Change.DeleteRow();
            case DELETE_FAMILY -> new Change.DeleteFamily("family" + random.nextInt(5));
            case DELETE_COLUMN -> new Change.DeleteColumn(column());
            case DELETE_VERSIONS -> {
                long one = random.nextLong();
                long other = random.nextLong();
                yield new Change.DeleteVersions(column(), Math.min(one, other), Math.max(one, other));
            }
            case DELETE_VERSION -> new Change.DeleteVersion(column(), random.nextLong());
            case INCREMENT -> new Change.Increment(column(), random.nextLong());
            case APPEND -> new Change.Append(column(), bytes());
        };
    }

    /** Some, or one alone: increments and appends have their columns for themselves. */
    List<Change> changes() {
        List<Change> changes = some(this::change);
        return changes.stream().anyMatch(change -> change.changed().isPresent()) ? changes.subList(0, 1) : changes;
    }

    /** Without an any of none, which is another word for keeping all. */
    GcRule rule(int depth) {
        return switch (random.nextInt(depth > 0 ? 5 : 3)) {
            case 0 -> GcRule.KEEP_ALL;
            case 1 -> new GcRule.MaxVersions(1 + random.nextInt(Integer.MAX_VALUE));
            case 2 -> new GcRule.MaxAge(1 + random.nextLong(Long.MAX_VALUE));
            case 3 -> new GcRule.Any(some(() -> rule(depth - 1)));
            default -> new GcRule.Every(some(() -> rule(depth - 1)));
        };
    }

    TableSchema draft() {
        TableSchema.Builder draft = TableSchema.draft("table" + random.nextInt(1000));
        int groups = random.nextInt(4);
        for (int i = 0; i < groups; i++) {
            draft.group(group(i == 0 ? LocalityGroup.DEFAULT_NAME : "group-" + i));
        }
        int families = random.nextInt(6);
        for (int i = 0; i < families; i++) {
            int group = groups < 2 ? 0 : random.nextInt(groups);
            draft.family("family-" + i, group == 0 ? LocalityGroup.DEFAULT_NAME : "group-" + group, rule(3))
                    .timestamps("family-" + i, one(Timestamps.values()));
            if (random.nextBoolean()) {
                draft.purge("family-" + i, random.nextLong(FamilySchema.MIN_PURGE_MICROS, Long.MAX_VALUE));
            }
        }
        return draft.durability(one(TableSchema.Durability.values()))
                .quotas(quotas())
                .build();
    }

    private LocalityGroup group(String name) {
        int bits = random.nextInt(33);
        return new LocalityGroup(
                name,
                random.nextInt(1 << 10, (4 << 20) + 1),
                "codec" + random.nextInt(5),
                random.nextBoolean(),
                new Bloom(bits, bits > 0 && random.nextBoolean()));
    }

    private Quotas quotas() {
        SortedMap<String, Long> users = new TreeMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            users.put("\u20ac".repeat(i), random.nextLong(Long.MAX_VALUE));
        }
        return new Quotas(bound(), bound(), users);
    }

    private OptionalLong bound() {
        return random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong(Long.MAX_VALUE));
    }

    <T> List<T> some(Supplier<T> one) {
        return Stream.generate(one).limit(1 + random.nextInt(5)).toList();
    }

    private <T> T one(T[] choices) {
        return choices[random.nextInt(choices.length)];
    }

    private <T> List<T> list(Supplier<T> one) {
        return Stream.generate(one).limit(random.nextInt(6)).toList();
    }
}
