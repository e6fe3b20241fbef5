package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.TabletInfo;
import bt.main.Specification.Step;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What befalls the table of a step just before it: so whatever a step adds to, asks about or deletes lies in memory, in files of
 * any age, in the half of a tablet, or has come from another server. One thread.
 */
final class Troubles {
    private static final Set<String> OF_DATA = Set.of(
            "get", "scan", "count", "put", "delete", "increment", "append", "mutate", "batch", "transact", "when");

    /** Then they are merged again. */
    private static final int MOST_TABLETS = 3;

    /** Of the row that a tablet is split behind. */
    private static final int MOST_ROW_BYTES = 100;

    private static final long CREATION_MILLIS = 60_000;

    private final Bigtable bigtable;
    private final Upkeep upkeep;
    private final RandomGenerator random;
    private final int oneOf;
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

    enum Kind {
        FLUSH,
        COMPACTION,
        SPLIT,
        MERGE,
        MOVE
    }

    /** Before one step of so many. */
    Troubles(Bigtable bigtable, RandomGenerator random, int oneOf) {
        this.bigtable = bigtable;
        this.upkeep = new Upkeep(bigtable);
        this.random = random;
        this.oneOf = oneOf;
    }

    void before(Step step) throws BigtableException {
        List<String> words = step.words();
        if (random.nextInt(oneOf) > 0 || !OF_DATA.contains(words.get(0))) {
            return;
        }
        String table = words.get(1);
        if (bigtable.admin().table(table).isEmpty()) {
            return;
        }
        // A table is there before all its tablets are served, and of one that is not nothing can be done.
        bigtable.admin().awaitOperation("creation/" + table, CREATION_MILLIS, progress -> {});
        Optional<Bytes> row = row(words);
        List<TabletInfo> tablets = upkeep.tablets(table);
        switch (random.nextInt(5)) {
            case 0 -> {
                upkeep.compact(table);
                count(Kind.COMPACTION);
            }
            case 1 -> {
                upkeep.move(table, holding(row, tablets));
                count(Kind.MOVE);
            }
            case 2 -> splitOrMerge(table, row, tablets);
            default -> {
                upkeep.flush(table);
                count(Kind.FLUSH);
            }
        }
    }

    private void splitOrMerge(String table, Optional<Bytes> row, List<TabletInfo> tablets) throws BigtableException {
        if (tablets.size() >= MOST_TABLETS) {
            upkeep.merge(table);
            count(Kind.MERGE);
        } else if (row.isPresent()) {
            upkeep.split(table, row.get());
            count(Kind.SPLIT);
        }
    }

    /** Of the row of the step, or any. */
    private TabletInfo holding(Optional<Bytes> row, List<TabletInfo> tablets) {
        return tablets.stream()
                .filter(tablet -> row.filter(tablet.range()::contains).isPresent())
                .findFirst()
                .orElseGet(() -> tablets.get(random.nextInt(tablets.size())));
    }

    /** The one that the step is about, if it is a short one that is named where rows mostly are. */
    private static Optional<Bytes> row(List<String> words) {
        if (words.size() < 3 || words.get(2).startsWith("-") || words.get(2).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Bytes.parse(words.get(2))).filter(row -> row.length() <= MOST_ROW_BYTES);
    }

    private void count(Kind kind) {
        counts.merge(kind, 1, Integer::sum);
    }

    /** How often each has happened. */
    Map<Kind, Integer> counts() {
        return counts;
    }
}
