package bt.protocol;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.testing.RandomFilters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Messages of every kind with fields of every size. */
final class RandomMessages {
    private final RandomGenerator random;

    RandomMessages(RandomGenerator random) {
        this.random = random;
    }

    Request request() {
        return switch (random.nextInt(3)) {
            case 0 -> new Request.Mutate(number(), list(this::write));
            case 1 ->
                new Request.Scan(number(), walk(), new RandomFilters(random).filter(), bounds(), maybe(this::resume));
            default -> new Request.Control(new RandomRecords(random).request());
        };
    }

    Answer answer() {
        return switch (random.nextInt(3)) {
            case 0 -> new Answer.Mutated(list(this::result));
            case 1 -> new Answer.Page(cells(), maybe(this::bytes), maybe(this::resume), number(), number());
            default -> new Answer.Control(new RandomRecords(random).answer());
        };
    }

    BigtableException failure() {
        Kind kind = any(Kind.values());
        Outcome outcome = random.nextBoolean() ? Outcome.NOT_APPLIED : Outcome.UNKNOWN;
        return BigtableException.of(kind, text(), outcome, random.nextInt(100_000));
    }

    private Write write() {
        List<Change> changes = changes();
        RowMutation mutation = new RowMutation(bytes(), changes.isEmpty() ? List.of(new Change.DeleteRow()) : changes);
        WriteId id = new WriteId(random.nextLong(), number(), number());
        return new Write(mutation, id, maybe(this::condition));
    }

    private Condition condition() {
        return switch (any(Condition.Kind.values())) {
            case NEWEST -> new Condition.Newest(column(), maybe(this::bytes));
            case PASSES -> new Condition.Passes(new RandomFilters(random).filter(), random.nextBoolean(), changes());
            case SHOWS -> new Condition.Shows(list(this::seen));
        };
    }

    private Condition.Seen seen() {
        byte[] digest = new byte[RowDigest.BYTES];
        random.nextBytes(digest);
        return new Condition.Seen(new RandomFilters(random).filter(), Bytes.wrap(digest));
    }

    /** Increments and appends have their columns for themselves, so there is nothing beside them. */
    private List<Change> changes() {
        List<Change> changes = list(this::change);
        List<Change> alone =
                changes.stream().filter(change -> change.changed().isPresent()).toList();
        return alone.isEmpty() ? changes : alone.subList(0, 1);
    }

    private Change change() {
        return switch (any(Change.Kind.values())) {
            case SET_CELL -> new Change.SetCell(column(), number(), bytes());
            case DELETE_ROW -> new Change.DeleteRow();
            case DELETE_FAMILY -> new Change.DeleteFamily(text());
            case DELETE_COLUMN -> new Change.DeleteColumn(column());
            case DELETE_VERSIONS -> {
                long some = number();
                long other = number();
                yield new Change.DeleteVersions(column(), Math.min(some, other), Math.max(some, other));
            }
            case DELETE_VERSION -> new Change.DeleteVersion(column(), number());
            case INCREMENT -> new Change.Increment(column(), number());
            case APPEND -> new Change.Append(column(), bytes());
        };
    }

    private WriteResult result() {
        return random.nextBoolean() ? WriteResult.applied(number()) : WriteResult.failed(failure());
    }

    /** Some with the row, column, timestamp or label of the cell before, in every combination. */
    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        Cell before = new Cell(bytes(), column(), number(), bytes());
        for (int i = random.nextInt(30); i > 0; i--) {
            ColumnKey column = new ColumnKey(
                    random.nextBoolean() ? before.column().family() : text(),
                    random.nextBoolean() ? before.column().qualifier() : bytes());
            Bytes row = random.nextBoolean() ? before.row() : bytes();
            long timestamp = random.nextBoolean() ? before.timestamp() : number();
            String label = random.nextBoolean() ? before.label() : random.nextBoolean() ? "" : text();
            before = new Cell(row, column, timestamp, bytes(), label);
            cells.add(before);
        }
        return cells;
    }

    private RowWalk walk() {
        List<RowRange> ranges = new ArrayList<>(list(this::range));
        ranges.add(RowRange.row(bytes()));
        return new RowWalk(new RowSet(ranges), random.nextBoolean());
    }

    private RowRange range() {
        return new RowRange(bytes(), maybe(this::bytes));
    }

    private PageBounds bounds() {
        return new PageBounds(positive(), positive(), positive());
    }

    private RowResume resume() {
        return new RowResume(bytes(), number(), number(), list(this::positive), bytes());
    }

    private ColumnKey column() {
        return new ColumnKey(text(), bytes());
    }

    private <T> T any(T[] some) {
        return some[random.nextInt(some.length)];
    }

    Bytes bytes() {
        byte[] bytes = new byte[random.nextInt(8) == 0 ? random.nextInt(2000) : random.nextInt(12)];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private String text() {
        return random.ints(1 + random.nextInt(9), 'a', 'ÿ')
                .mapToObj(Character::toString)
                .reduce("", String::concat);
    }

    private int positive() {
        return 1 + (random.nextInt(Integer.MAX_VALUE) >>> random.nextInt(31));
    }

    private long number() {
        return random.nextInt(20) == 0 ? Long.MIN_VALUE : random.nextLong() >> random.nextInt(64);
    }

    private <T> Optional<T> maybe(Supplier<T> some) {
        return random.nextBoolean() ? Optional.of(some.get()) : Optional.empty();
    }

    private <T> List<T> list(Supplier<T> item) {
        return Stream.generate(item).limit(random.nextInt(6)).toList();
    }
}
