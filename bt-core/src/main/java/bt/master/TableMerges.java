package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.protocol.NamedRows;
import bt.record.MergeFile;
import bt.record.RowSpan;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges of tables' tablets that somebody has asked for and that are to go on until they are done. Each is wished for of
 * {@link Merges}, which gives it up where its tablets would not be served for long; then it rests, and is wished for again. While
 * one of its tablets is not served it waits. Owned by the master's thread.
 */
final class TableMerges implements TableWishes.Kind {
    private static final Logger log = LoggerFactory.getLogger(TableMerges.class);

    /** They lie in a small file. */
    private static final int MOST_BYTES = 500_000;

    private static final int SPAN_OVERHEAD_BYTES = 50;
    private static final long COME_BACK_MILLIS = 5_000;

    /** Its tablets are served that long at least between two attempts. */
    private static final long FIRST_PAUSE_NANOS = 10_000_000_000L;

    private final WishFiles files;
    private final Merges merges;
    private final Clock clock;
    private final Runnable wake;
    private final Map<Long, MergeFile> wishes = new TreeMap<>();

    private final Set<Merges.Wish> begun = new HashSet<>();
    private final Map<Merges.Wish, Pause> pauses = new HashMap<>();

    private TableMerges(WishFiles files, Merges merges, Clock clock, Runnable wake) {
        this.files = files;
        this.merges = merges;
        this.clock = clock;
        this.wake = wake;
    }

    /** With what an earlier master was asked for. {@code wake} has the master look at once. */
    static TableMerges load(WishFiles files, Merges merges, Clock clock, Runnable wake) throws BigtableException {
        TableMerges asked = new TableMerges(files, merges, clock, wake);
        files.read(MergeFile.class, (file, found) -> asked.wishes.put(file.getTableId(), file));
        return asked;
    }

    @Override
    public Set<Long> tables() {
        return Set.copyOf(wishes.keySet());
    }

    /** To ask for what is under way already is to ask for nothing. */
    @Override
    public WorkLine begin(WorkOnTable asked, TableRecord table, WorkSight seen) throws BigtableException {
        long id = table.getId();
        RowSpan span = span(table, asked);
        List<RowSpan> spans = new ArrayList<>(
                Optional.ofNullable(wishes.get(id)).map(MergeFile::getSpans).orElse(List.of()));
        if (!spans.contains(span)) {
            int bytes = spans.stream().mapToInt(TableMerges::bytes).sum();
            if (bytes + bytes(span) > MOST_BYTES) {
                throw new OverloadedException(
                        "table " + table.getName() + ": " + spans.size() + " merges of its tablets are under way: wait"
                                + " for some of them",
                        COME_BACK_MILLIS);
            }
            spans.add(span);
            save(new MergeFile(id, table.getName(), spans));
            log.info("tablets of table {} are to be merged", table.getName());
        }
        return line(new MergeFile(id, table.getName(), spans), seen);
    }

    private static RowSpan span(TableRecord table, WorkOnTable asked) throws RejectedException {
        Bytes from = AvroBytes.bytes(asked.getFrom());
        Bytes to = AvroBytes.optionalBytes(asked.getTo()).orElse(Bytes.EMPTY);
        NamedRows.checkSpan(table.getName(), from, to);
        return new RowSpan(AvroBytes.buffer(from), AvroBytes.buffer(to));
    }

    private static int bytes(RowSpan span) {
        return span.getFrom().remaining() + span.getTo().remaining() + SPAN_OVERHEAD_BYTES;
    }

    private void save(MergeFile file) throws BigtableException {
        files.write(file.getTableId(), file);
        wishes.put(file.getTableId(), file);
    }

    @Override
    public void forget(long tableId) throws BigtableException {
        files.delete(tableId);
        wishes.remove(tableId);
        begun.removeIf(wish -> wish.tableId() == tableId);
        pauses.keySet().removeIf(wish -> wish.tableId() == tableId);
    }

    @Override
    public List<WorkLine> lines(WorkSight seen) {
        return wishes.values().stream().map(file -> line(file, seen)).toList();
    }

    private static WorkLine line(MergeFile file, WorkSight seen) {
        Set<TabletId> tablets = seen.tablets(file.getTableId());
        int left = TabletEnds.of(tablets)
                .map(ends -> file.getSpans().stream()
                        .mapToInt(span -> left(span, ends))
                        .sum())
                .orElse(1);
        Optional<String> unserved =
                seen.unserved(file.getSpans().stream().flatMap(span -> holders(span, file.getTableId(), tablets)));
        return new WorkLine(file.getTable(), TableWork.MERGE, Math.max(1, left), unserved.orElse(null), List.of());
    }

    private static Stream<TabletId> holders(RowSpan span, long tableId, Set<TabletId> tablets) {
        return TabletEnds.of(tablets).stream()
                .flatMap(ends -> ends.holders(AvroBytes.bytes(span.getFrom()), AvroBytes.bytes(span.getTo())))
                .map(end -> new TabletId(tableId, end));
    }

    private static int left(RowSpan span, TabletEnds ends) {
        return ends.countWithin(AvroBytes.bytes(span.getFrom()), AvroBytes.bytes(span.getTo()));
    }

    @Override
    public boolean look(long tableId, Set<TabletId> tablets, Sight sight) throws BigtableException {
        MergeFile file = wishes.get(tableId);
        Optional<TabletEnds> ends = TabletEnds.of(tablets);
        if (file == null || ends.isEmpty()) {
            return false;
        }
        List<RowSpan> left = file.getSpans().stream()
                .filter(span -> left(span, ends.get()) > 0)
                .toList();
        if (left.size() < file.getSpans().size()) {
            save(new MergeFile(tableId, file.getTable(), left));
        }
        for (RowSpan span : left) {
            RowRange rows = RowRange.of(
                    AvroBytes.bytes(span.getFrom()),
                    AvroBytes.bytes(span.getTo()).successor());
            Merges.Wish wish = new Merges.Wish(tableId, rows);
            if (isTime(
                    wish, () -> sight.unserved(holders(span, tableId, tablets).toList())
                            .isEmpty())) {
                begun.add(wish);
                merges.attempt(tableId, rows);
                wake.run();
            }
        }
        return left.isEmpty();
    }

    private boolean isTime(Merges.Wish wish, BooleanSupplier areServed) {
        if (merges.isUnderWay(wish)) {
            return false;
        }
        if (begun.remove(wish)) {
            // Given up: its tablets are served for a while before it is tried again.
            pauses.merge(
                    wish,
                    Pause.NONE.longer(FIRST_PAUSE_NANOS, clock.nanos()),
                    (before, first) -> before.longer(FIRST_PAUSE_NANOS, clock.nanos()));
        }
        if (!pauses.getOrDefault(wish, Pause.NONE).isOver(clock.nanos())) {
            return false;
        }
        if (!areServed.getAsBoolean()) {
            // An attempt would be in vain, and the others could neither move nor split meanwhile. The pause does not
            // grow: soon after the tablet is served they are to be one.
            pauses.put(wish, Pause.NONE.longer(FIRST_PAUSE_NANOS, clock.nanos()));
            return false;
        }
        return true;
    }
}
