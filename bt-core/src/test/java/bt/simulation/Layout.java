package bt.simulation;

import bt.base.Bytes;
import bt.model.Bloom;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.history.Additions.Total;
import bt.testing.history.Anomaly;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What the rows of the simulated table hold. An account is two columns in two locality groups, written together: the same
 * tag in both, and amounts whose sum never changes. A counter is a sum and a text that clients add to, in their rows alone.
 * A node is one link of the linked list.
 */
final class Layout {
    static final String TABLE = "t";
    static final ColumnKey LEFT = ColumnKey.of("a", "left");
    static final ColumnKey RIGHT = ColumnKey.of("b", "right");
    static final ColumnKey LINK = ColumnKey.of("a", "link");
    /** Of a row that clients add to: the sum, and in the order of their coming the tags, each with what ends it. */
    static final ColumnKey COUNT = ColumnKey.of("a", "count");

    static final ColumnKey TAGS = ColumnKey.of("a", "tags");
    static final int SUM = 1_000;

    /** Of the right column; of the left one all are kept. */
    static final int VERSIONS = 2;

    static final String NODE = "/node/";

    static final List<String> ACCOUNTS = List.of("b/account", "g/account", "l/account", "q/account", "v/account");
    static final List<String> COUNTERS = List.of("d/counter", "n/counter", "x/counter");
    static final List<Bytes> SPLITS = List.of(Bytes.utf8("h"), Bytes.utf8("p"));

    /** A tablet for each account, and one for none: some servers have two. */
    static final List<Bytes> MANY_SPLITS =
            List.of(Bytes.utf8("e"), Bytes.utf8("i"), Bytes.utf8("m"), Bytes.utf8("s"), Bytes.utf8("w"));

    static final TableSchema SCHEMA = TableSchema.draft(TABLE)
            .group(new LocalityGroup("default", 1 << 10, "none", false, Bloom.ROW))
            .group(new LocalityGroup("apart", 1 << 10, "lz4", false, Bloom.ROW))
            .family("a", GcRule.KEEP_ALL)
            .family("b", "apart", new GcRule.MaxVersions(VERSIONS))
            .build();

    private Layout() {}

    static RowMutation account(String row, String tag, int left, int padding) {
        return RowMutation.of(row)
                .set(LEFT, Bytes.utf8(tag + "|" + left))
                .set(RIGHT, Bytes.utf8(tag + "|" + (SUM - left) + "|" + "x".repeat(padding)))
                .build();
    }

    static RowMutation node(String row, String named) {
        return RowMutation.of(row).set(LINK, Bytes.utf8(named)).build();
    }

    static String tag(Bytes value) {
        String text = value.toUtf8();
        return text.substring(0, text.indexOf('|'));
    }

    /** Of a cell of an account or a node, what the {@link bt.testing.history.Operation} wrote that made it. */
    static Optional<String> written(Cell cell) {
        if (cell.column().equals(LINK)) {
            return Optional.of(cell.value().toUtf8());
        }
        boolean isAccount = cell.column().equals(LEFT) || cell.column().equals(RIGHT);
        return isAccount ? Optional.of(tag(cell.value())) : Optional.empty();
    }

    static int amount(Bytes value) {
        String text = value.toUtf8().substring(tag(value).length() + 1);
        int end = text.indexOf('|');
        return Integer.parseInt(end < 0 ? text : text.substring(0, end));
    }

    /** The tags of all versions of a column, the newest first. */
    static List<String> tags(Row row, ColumnKey column) {
        return row.cells().stream()
                .filter(cell -> cell.column().equals(column))
                .map(Cell::value)
                .map(Layout::tag)
                .toList();
    }

    /** What a value is called that clients add to. */
    static String value(String row, ColumnKey column) {
        return row + " " + column;
    }

    /** Of a value that clients add to; a row is itself. */
    static String rowOf(String value) {
        int space = value.indexOf(' ');
        return space < 0 ? value : value.substring(0, space);
    }

    /** All that the sum was, the first before the others, each with what was added just then. */
    static List<Total> sums(Row row) {
        List<Long> sums = new ArrayList<>(row.cells().stream()
                .filter(cell -> cell.column().equals(COUNT))
                .map(cell -> Counter.decode(cell.value()))
                .toList());
        Collections.reverse(sums);
        List<Total> totals = new ArrayList<>();
        long before = 0;
        for (long sum : sums) {
            totals.add(new Total(Long.toString(sum - before), sum));
            before = sum;
        }
        return totals;
    }

    /** The tags, each with the length that the value had with it. */
    static List<Total> lengths(Row row) {
        List<Total> totals = new ArrayList<>();
        int length = 0;
        for (String tag : row.value(TAGS).map(Bytes::toUtf8).orElse("").split("(?<=;)", -1)) {
            if (!tag.isEmpty()) {
                length += tag.length();
                totals.add(new Total(tag, length));
            }
        }
        return totals;
    }

    /** What is wrong with an account as it was read at one moment. */
    static Optional<Anomaly> torn(Row row) {
        String key = row.key().toUtf8();
        Optional<Bytes> left = row.value(LEFT);
        Optional<Bytes> right = row.value(RIGHT);
        if (!left.map(Layout::tag).equals(right.map(Layout::tag))) {
            return Optional.of(new Anomaly("torn row", key, left + " beside " + right));
        }
        if (left.isPresent() && amount(left.get()) + amount(right.orElseThrow()) != SUM) {
            return Optional.of(new Anomaly("sum", key, left + " and " + right));
        }
        return Optional.empty();
    }
}
