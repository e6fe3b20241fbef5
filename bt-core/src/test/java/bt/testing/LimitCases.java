package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes at the limits, and what docs/guide/limits.md says of each. */
public final class LimitCases {
    /** Has the one family that the writes need. */
    public static final TableSchema TABLE =
            TableSchema.draft("limits").family("f", GcRule.KEEP_ALL).build();

    private static final Pattern LINE = Pattern.compile("(?m)^\\| (.+) \\| (taken|REJECTED) \\|$");
    private static final Bytes ROW = Bytes.utf8("r");

    /** What Thrift's own libraries take. */
    private static final int FRAME_BYTES = 16_384_000;

    /** Why a door did not take something, which the failure of a test shows. */
    private static volatile String lastRefusal = "none";

    private LimitCases() {}

    /** For a door that was REJECTED, to return: false. */
    public static boolean refused(Throwable why) {
        lastRefusal = why.toString();
        return false;
    }

    /** One way for a write to come to a table. */
    @FunctionalInterface
    public interface Door {
        /** True when it was applied, false when it was REJECTED; fails when anything else happened. */
        boolean write(RowMutation mutation) throws Exception;
    }

    /** One way to read one row. */
    @FunctionalInterface
    public interface ReadDoor {
        /** True when there was an answer, false when it was REJECTED; fails when anything else happened. */
        boolean read(Bytes row) throws Exception;
    }

    /** One way to read several rows by their names: those that it found, in its order. */
    @FunctionalInterface
    public interface SetDoor {
        List<Bytes> read(List<Bytes> rows) throws Exception;
    }

    /** More than a request may name. */
    private static final int ROWS_OF_A_SET = 10_001;

    /** Of the rows that are read by their names those that there are. */
    public static List<RowMutation> rowsOfASet() {
        return there(set()).stream().map(LimitCases::row).toList();
    }

    /** Tries a set of very many rows, of which {@link #rowsOfASet} are there. */
    public static void checkSet(SetDoor door) throws Exception {
        assertThat(page()).containsEntry(named("a read of %,d rows", ROWS_OF_A_SET), true);
        assertThat(door.read(set())).containsExactlyElementsOf(there(set()));
    }

    private static List<Bytes> set() {
        return IntStream.range(0, ROWS_OF_A_SET)
                .mapToObj(i -> Bytes.utf8(String.format("set%05d", i)))
                .toList();
    }

    private static List<Bytes> there(List<Bytes> set) {
        return List.of(set.get(0), set.get(ROWS_OF_A_SET / 2), set.get(ROWS_OF_A_SET - 1));
    }

    /** One way to read a column by its name. */
    @FunctionalInterface
    public interface ColumnDoor {
        /** True when there was an answer, false when it was refused; fails when anything else happened. */
        boolean read(ColumnKey column) throws Exception;
    }

    /** Columns to read by their names. */
    public static Map<String, ColumnKey> columns() {
        Map<String, ColumnKey> cases = new LinkedHashMap<>();
        for (int more = 0; more < 2; more++) {
            int qualifier = Limits.NAMED_QUALIFIER_BYTES + more;
            cases.put(
                    named("a read of a column whose qualifier has %,d bytes", qualifier),
                    new ColumnKey("f", bytes(qualifier, 'q')));
        }
        return cases;
    }

    /** Tries them all. */
    public static void checkColumns(ColumnDoor door) throws Exception {
        tryAll(columns(), door::read);
    }

    /** One way for a filter to come to a table, as text. */
    @FunctionalInterface
    public interface FilterDoor {
        /** True when there was an answer, false when it was refused; fails when anything else happened. */
        boolean read(String filter) throws Exception;
    }

    /** Filters, as text. */
    public static Map<String, String> filters() {
        Map<String, String> cases = new LinkedHashMap<>();
        for (int more = 0; more < 2; more++) {
            cases.put(named("a filter of %,d steps", Limits.FILTER_STEPS + more), steps(Limits.FILTER_STEPS + more));
            // With the interleaving itself.
            cases.put(
                    named("a filter of %,d parts", Limits.FILTER_PARTS + more),
                    String.join(" | ", Collections.nCopies(Limits.FILTER_PARTS - 1 + more, "keys")));
        }
        return cases;
    }

    /** A filter whose regular expressions unfold to so many steps together, each to no more than it may. */
    public static String steps(int steps) {
        // 3 for the expression, 1 for a letter, 2 for each x that is counted and 3 beside.
        String large = "row~'ab" + "x{" + (Limits.REGEX_STEPS - 8) / 2 + "}'";
        int rest = steps - (steps / Limits.REGEX_STEPS - 1) * Limits.REGEX_STEPS;
        List<String> parts = new ArrayList<>(Collections.nCopies(steps / Limits.REGEX_STEPS - 1, large));
        parts.add("row~'" + "a".repeat(rest / 2 - 3) + "'");
        parts.add("row~'" + "a".repeat(rest - rest / 2 - 3) + "'");
        return String.join(" | ", parts);
    }

    /** Tries them all. */
    public static void checkFilters(FilterDoor door) throws Exception {
        tryAll(filters(), door::read);
    }

    /** One way for a table to be created. */
    @FunctionalInterface
    public interface SplitDoor {
        /** True when it was created, false when that was REJECTED; fails when anything else happened. */
        boolean create(String table, List<Bytes> splitRows) throws Exception;
    }

    /** Rows between tablets. */
    public static Map<String, List<Bytes>> splits() {
        Map<String, List<Bytes>> cases = new LinkedHashMap<>();
        cases.put(
                "10,001 split rows",
                IntStream.range(0, 10_001)
                        .mapToObj(i -> Bytes.utf8(String.format("split%05d", i)))
                        .toList());
        cases.put("an empty split row", List.of(Bytes.EMPTY));
        for (int more = 0; more < 2; more++) {
            cases.put(
                    named("a split row of %,d bytes", Limits.ROW_BYTES + more),
                    List.of(bytes(Limits.ROW_BYTES + more, 's')));
        }
        cases.put("a split row that is named twice", List.of(ROW, Bytes.utf8("s"), ROW));
        List<Bytes> most = IntStream.range(0, Limits.SPLIT_ROWS_BYTES / Limits.ROW_BYTES)
                .mapToObj(i -> bytes(Limits.ROW_BYTES, 'a' + i))
                .toList();
        cases.put(named("split rows of %,d bytes together", Limits.SPLIT_ROWS_BYTES), most);
        List<Bytes> more = new ArrayList<>(most);
        more.add(ROW);
        cases.put(named("split rows of %,d bytes together", Limits.SPLIT_ROWS_BYTES + ROW.length()), more);
        return cases;
    }

    /** Tries them all, each with a table of another name that begins so. */
    public static void checkSplits(String names, SplitDoor door) throws Exception {
        AtomicInteger number = new AtomicInteger();
        tryAll(splits(), rows -> door.create(names + number.getAndIncrement(), rows));
    }

    /** One way for a message to come to a gateway. */
    @FunctionalInterface
    public interface FrameDoor {
        /** True when it was taken, false when it was REJECTED; fails when anything else happened. */
        boolean send(int frameBytes) throws Exception;
    }

    /** Lengths of messages. */
    public static Map<String, Integer> frames() {
        Map<String, Integer> cases = new LinkedHashMap<>();
        for (int more = 0; more < 2; more++) {
            cases.put(named("a frame of %,d bytes", FRAME_BYTES + more), FRAME_BYTES + more);
        }
        return cases;
    }

    /** Tries them all. */
    public static void checkFrames(FrameDoor door) throws Exception {
        tryAll(frames(), door::send);
    }

    /** Keys of rows to read. */
    public static Map<String, Bytes> reads() {
        Map<String, Bytes> cases = new LinkedHashMap<>();
        cases.put("a read of an empty row key", Bytes.EMPTY);
        for (int more = 0; more < 2; more++) {
            cases.put(
                    named("a read of a row key of %,d bytes", Limits.ROW_BYTES + more),
                    bytes(Limits.ROW_BYTES + more, 'x'));
        }
        cases.put("a read of a row key of one byte 00", bytes(1, 0));
        return cases;
    }

    /** Tries them all. */
    public static void checkReads(ReadDoor door) throws Exception {
        tryAll(reads(), door::read);
    }

    /** One way to have the tablet moved that holds a row. */
    @FunctionalInterface
    public interface MoveDoor {
        /** True when it was moved, or will be, false when it was REJECTED; fails when anything else happened. */
        boolean move(Bytes row) throws Exception;
    }

    /** Rows whose tablets are to be moved. */
    public static Map<String, Bytes> moves() {
        Map<String, Bytes> cases = new LinkedHashMap<>();
        cases.put("a move of the tablet of an empty row key", Bytes.EMPTY);
        for (int more = 0; more < 2; more++) {
            cases.put(
                    named("a move of the tablet of a row key of %,d bytes", Limits.ROW_BYTES + more),
                    bytes(Limits.ROW_BYTES + more, 'x'));
        }
        return cases;
    }

    /** Tries them all. */
    public static void checkMoves(MoveDoor door) throws Exception {
        tryAll(moves(), door::move);
    }

    /** Rows behind which a tablet is to be split by hand. */
    public static Map<String, Bytes> handSplits() {
        Map<String, Bytes> cases = new LinkedHashMap<>();
        cases.put("a split by hand behind an empty row key", Bytes.EMPTY);
        for (int more = 0; more < 2; more++) {
            cases.put(
                    named("a split by hand behind a row key of %,d bytes", Limits.ROW_BYTES + more),
                    bytes(Limits.ROW_BYTES + more, 's'));
        }
        return cases;
    }

    /** One way to have a tablet split behind a row. */
    @FunctionalInterface
    public interface HandSplitDoor {
        /** True when it was split, or will be, false when it was REJECTED; fails when anything else happened. */
        boolean split(Bytes row) throws Exception;
    }

    /** Tries them all. */
    public static void checkHandSplits(HandSplitDoor door) throws Exception {
        tryAll(handSplits(), door::split);
    }

    /** Rows of which the tablets are to be compacted. */
    public static Map<String, RowRange> compactions() {
        Bytes row = Bytes.utf8("x");
        Map<String, RowRange> cases = new LinkedHashMap<>();
        for (int more = 1; more < 3; more++) {
            int length = Limits.ROW_BYTES + more;
            cases.put(named("a compaction from a row key of %,d bytes", length), RowRange.from(bytes(length, 'w')));
            cases.put(named("a compaction up to a row key of %,d bytes", length), RowRange.before(bytes(length, 'x')));
        }
        cases.put("a compaction from a row key up to the same", new RowRange(row, Optional.of(row)));
        return cases;
    }

    /** One way to have the tablets with rows of a range compacted. */
    @FunctionalInterface
    public interface CompactionDoor {
        /** True when they were compacted, or will be, false when it was REJECTED; fails when anything else happened. */
        boolean compact(RowRange rows) throws Exception;
    }

    /** Tries them all. */
    public static void checkCompactions(CompactionDoor door) throws Exception {
        tryAll(compactions(), door::compact);
    }

    /** One way to have the tablets merged that hold the rows from one to another. */
    @FunctionalInterface
    public interface MergeDoor {
        /** True when they were merged, or will be, false when it was REJECTED; fails when anything else happened. */
        boolean merge(RowPair rows) throws Exception;
    }

    /** Both are rows of what is to be one tablet. */
    public record RowPair(Bytes first, Bytes last) {}

    /** Rows whose tablets are to be merged. */
    public static Map<String, RowPair> merges() {
        Bytes row = Bytes.utf8("x");
        Map<String, RowPair> cases = new LinkedHashMap<>();
        cases.put("a merge from an empty row key", new RowPair(Bytes.EMPTY, row));
        for (int more = 0; more < 2; more++) {
            int length = Limits.ROW_BYTES + more;
            cases.put(named("a merge from a row key of %,d bytes", length), new RowPair(bytes(length, 'w'), row));
            cases.put(named("a merge up to a row key of %,d bytes", length), new RowPair(row, bytes(length, 'x')));
        }
        cases.put("a merge from a row key up to the same", new RowPair(row, row));
        cases.put("a merge from a row key up to one before it", new RowPair(row, Bytes.utf8("a")));
        return cases;
    }

    /** Tries them all. */
    public static void checkMerges(MergeDoor door) throws Exception {
        tryAll(merges(), door::merge);
    }

    /** One way to have a table created. */
    @FunctionalInterface
    public interface TableDoor {
        /** True when it is there, false when it was REJECTED; fails when anything else happened. */
        boolean create(String table, List<String> families) throws Exception;
    }

    /** Names of the families of a table: as long as they may be. */
    public static Map<String, List<String>> tables() {
        Map<String, List<String>> cases = new LinkedHashMap<>();
        for (int more = 0; more < 2; more++) {
            int families = Limits.FAMILIES + more;
            cases.put(
                    named("a table of %,d families with names of 128 letters", families),
                    IntStream.range(0, families).mapToObj("%0128d"::formatted).toList());
        }
        return cases;
    }

    /** Tries them all, each with a table of another name that begins so. */
    public static void checkTables(String names, TableDoor door) throws Exception {
        AtomicInteger number = new AtomicInteger();
        tryAll(tables(), families -> door.create(names + number.getAndIncrement(), families));
    }

    /** Those of a few changes and bytes. */
    public static Map<String, RowMutation> small() {
        Map<String, RowMutation> cases = new LinkedHashMap<>();
        cases.put("an empty row key", row(Bytes.EMPTY));
        cases.put(named("a row key of %,d bytes", Limits.ROW_BYTES), row(bytes(Limits.ROW_BYTES, 'r')));
        cases.put(named("a row key of %,d bytes", Limits.ROW_BYTES + 1), row(bytes(Limits.ROW_BYTES + 1, 'r')));
        cases.put("a row key of bytes 00", row(bytes(3, 0)));
        cases.put("a row key of bytes FF", row(bytes(3, 0xff)));
        cases.put("an empty qualifier", qualifier(Bytes.EMPTY));
        cases.put("a qualifier of bytes 00 and FF", qualifier(Bytes.hex("00ff00ff")));
        int most = Limits.QUALIFIER_BYTES;
        cases.put(named("a qualifier of %,d bytes", most), qualifier(bytes(most, 'q')));
        cases.put(named("a qualifier of %,d bytes", most + 1), qualifier(bytes(most + 1, 'q')));
        cases.put("a family that the table has not", cell(ROW, ColumnKey.of("g", "q"), 1));
        cases.put("a family name that is not printable", cell(ROW, ColumnKey.of("f\u0001", "q"), 1));
        cases.put("an empty value", cell(ROW, ColumnKey.of("f", "q"), 2));
        for (long timestamp : new long[] {Long.MIN_VALUE + 1, Long.MAX_VALUE}) {
            cases.put(named("the timestamp %,d", timestamp), cell(ROW, ColumnKey.of("f", "q"), timestamp));
        }
        return cases;
    }

    /** Those, and one for doors where a timestamp is a number or is left out. */
    public static Map<String, RowMutation> smallWithGivenTimestamps() {
        Map<String, RowMutation> cases = small();
        cases.put(named("the timestamp %,d", Long.MIN_VALUE), cell(ROW, ColumnKey.of("f", "q"), Long.MIN_VALUE));
        return cases;
    }

    /** The longest value that there may be, and one that is longer. */
    public static Map<String, RowMutation> values() {
        return values(bytes(Limits.VALUE_BYTES + 1, 'v'));
    }

    private static Map<String, RowMutation> values(Bytes values) {
        Map<String, RowMutation> cases = new LinkedHashMap<>();
        for (int more = 0; more < 2; more++) {
            cases.put(
                    named("a value of %,d bytes", Limits.VALUE_BYTES + more),
                    RowMutation.of(ROW)
                            .set(ColumnKey.of("f", "large"), 1, values.slice(0, Limits.VALUE_BYTES + more))
                            .build());
        }
        return cases;
    }

    /** Those that are long. */
    public static Map<String, RowMutation> large() {
        // All large values are parts of one: client and servers, which have copies of each, are in the same heap.
        Bytes values = bytes(Limits.VALUE_BYTES + 1, 'v');
        Map<String, RowMutation> cases = values(values);
        RowMutation.Builder two = RowMutation.of(ROW);
        Bytes value = values.slice(0, 45 << 20);
        for (String qualifier : List.of("one", "other")) {
            two.set(ColumnKey.of("f", qualifier), 1, value);
        }
        cases.put("two values of 47,185,920 bytes", two.build());
        cases.put("1,000 deletions of columns whose qualifiers have 65,536 bytes", deletions(ROW));
        cases.putAll(many());
        return cases;
    }

    /** One that writes nothing and has as many bytes as many that write. */
    public static RowMutation deletions(Bytes row) {
        Bytes longest = bytes(Limits.QUALIFIER_BYTES, 'q');
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int i = 0; i < 1_000; i++) {
            mutation.deleteColumn(new ColumnKey("f", longest));
        }
        return mutation.build();
    }

    /** Appends of one byte, by the lengths of the values that they are to find: {@link #before} writes these. */
    public static Map<String, RowMutation> appends() {
        Map<String, RowMutation> cases = new LinkedHashMap<>();
        for (int before : new int[] {Limits.VALUE_BYTES - 1, Limits.VALUE_BYTES}) {
            cases.put(
                    named("an append of one byte to a value of %,d bytes", before),
                    RowMutation.of(named("appended to %d", before))
                            .append(ColumnKey.of("f", "large"), bytes(1, 'v'))
                            .build());
        }
        return cases;
    }

    /** Makes the value that one of {@link #appends} is to find. */
    public static RowMutation before(RowMutation append) {
        String row = append.row().toUtf8();
        int length = Integer.parseInt(row.substring(row.lastIndexOf(' ') + 1));
        ColumnKey column = ColumnKey.of("f", "large");
        return RowMutation.of(append.row())
                .deleteColumn(column)
                .set(column, bytes(length, 'v'))
                .build();
    }

    /** Of these those that have few bytes and many changes. */
    public static Map<String, RowMutation> many() {
        Map<String, RowMutation> cases = new LinkedHashMap<>();
        for (int more = 0; more < 2; more++) {
            cases.put(
                    named("%,d changes", Limits.CHANGES_PER_MUTATION + more),
                    changes(Limits.CHANGES_PER_MUTATION + more));
            int qualifier = Limits.NAMED_QUALIFIER_BYTES + more;
            cases.put(
                    named("an increment of a column whose qualifier has %,d bytes", qualifier),
                    RowMutation.of("counted")
                            .increment(new ColumnKey("f", bytes(qualifier, 'q')), 1)
                            .build());
            cases.put(
                    named("an append to a column whose qualifier has %,d bytes", qualifier),
                    RowMutation.of("appended")
                            .append(new ColumnKey("f", bytes(qualifier, 'q')), Bytes.utf8("v"))
                            .build());
        }
        Bytes longest = bytes(Limits.ROW_BYTES, 'r');
        for (int count : new int[] {1_000, 3_000}) {
            cases.put(named("a row key of 65,536 bytes and %,d changes", count), changes(longest, count));
        }
        RowMutation.Builder increments = RowMutation.of("counted");
        for (int i = 0; i < 3_000; i++) {
            increments.increment(ColumnKey.of("f", "q" + i), 1);
        }
        cases.put(named("%,d increments", 3_000), increments.build());
        return cases;
    }

    /** Tries them all. */
    public static void check(Map<String, RowMutation> cases, Door door) throws Exception {
        tryAll(cases, door::write);
    }

    /** What a door has to do with one case: true when it was taken, false when it was REJECTED. */
    @FunctionalInterface
    private interface Trial<T> {
        boolean isTaken(T value) throws Exception;
    }

    /** All are on the page, and each fares as it says. */
    private static <T> void tryAll(Map<String, T> cases, Trial<T> trial) throws Exception {
        Map<String, Boolean> expected = page();
        assertThat(expected).containsKeys(cases.keySet().toArray(String[]::new));
        for (Map.Entry<String, T> each : cases.entrySet()) {
            lastRefusal = "none";
            assertThat(trial.isTaken(each.getValue()))
                    .as(() -> each.getKey() + ", where the last refusal was: " + lastRefusal)
                    .isEqualTo(expected.get(each.getKey()));
        }
    }

    /** The same for doors that want an increment: with one more change, or of many in the place of the last. */
    public static RowMutation counting(RowMutation mutation) {
        if (mutation.readsRow()) {
            return mutation;
        }
        List<Change> changes = new ArrayList<>(mutation.changes());
        if (changes.size() > 2) {
            changes.remove(changes.size() - 1);
        }
        changes.add(new Change.Increment(ColumnKey.of("f", "counted"), 1));
        return new RowMutation(mutation.row(), changes);
    }

    /** What the page says: whether a write is taken. */
    public static Map<String, Boolean> page() throws IOException {
        return LINE.matcher(Files.readString(Path.of("../docs/guide/limits.md")))
                .results()
                .collect(Collectors.toMap((MatchResult line) -> line.group(1), line -> line.group(2)
                        .equals("taken")));
    }

    private static RowMutation row(Bytes row) {
        return cell(row, ColumnKey.of("f", "q"), 1);
    }

    private static RowMutation qualifier(Bytes qualifier) {
        return cell(ROW, new ColumnKey("f", qualifier), 1);
    }

    private static RowMutation cell(Bytes row, ColumnKey column, long timestamp) {
        return RowMutation.of(row).set(column, timestamp, Bytes.EMPTY).build();
    }

    private static RowMutation changes(int count) {
        return changes(Bytes.utf8("many"), count);
    }

    private static RowMutation changes(Bytes row, int count) {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int i = 0; i < count; i++) {
            mutation.set(ColumnKey.of("f", "q" + i), 1, Bytes.EMPTY);
        }
        return mutation.build();
    }

    private static Bytes bytes(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return Bytes.wrap(bytes);
    }

    private static String named(String format, long number) {
        return String.format(Locale.ROOT, format, number);
    }
}
