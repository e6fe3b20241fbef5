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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges of tables' tablets that somebody has asked for and that are to go on until they are done. Each is wished for of
 * {@link Merges}, which gives it up where its tablets would not be served for long; then it rests, and is wished for again. While
 * one of its tablets is not served, or no server has memory for more, it waits. One whose tablets are too large to be one ends, and is told
 * for a while. Owned by the master's thread.
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
    private final WorkRefusals refusals;

    private TableMerges(WishFiles files, Merges merges, Clock clock, Runnable wake) {
        this.files = files;
        this.merges = merges;
        this.clock = clock;
        this.wake = wake;
        this.refusals = new WorkRefusals(clock);
    }

    /** With what an earlier master was asked for. {@code wake} has the master look at once. */
    static TableMerges load(WishFiles files, Merges merges, Clock clock, Runnable wake) throws BigtableException {
        TableMerges asked = new TableMerges(files, merges, clock, wake);
        files.read(MergeFile.class, (file, found) -> {
            file.setSpans(joined(file.getSpans()));
            asked.wishes.put(file.getTableId(), file);
        });
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
        List<RowSpan> before =
                Optional.ofNullable(wishes.get(id)).map(MergeFile::getSpans).orElse(List.of());
        List<RowSpan> spans =
                joined(Stream.concat(before.stream(), Stream.of(span)).toList());
        if (!spans.equals(before)) {
            int bytes = spans.stream().mapToInt(TableMerges::bytes).sum();
            if (bytes > MOST_BYTES) {
                throw new OverloadedException(
                        "table " + table.getName() + ": " + before.size() + " merges of its tablets are under way: wait"
                                + " for some of them",
                        COME_BACK_MILLIS);
            }
            MergeFile file = new MergeFile(id, table.getName(), spans);
            files.checkRoom(id, table.getName(), file);
            save(file);
            log.info("tablets of table {} are to be merged", table.getName());
        }
        refusals.forget(id, from(span));
        return line(new MergeFile(id, table.getName(), spans), seen);
    }

    private static RowSpan span(TableRecord table, WorkOnTable asked) throws RejectedException {
        Bytes from = AvroBytes.bytes(asked.getFrom());
        Bytes to = AvroBytes.optionalBytes(asked.getTo()).orElse(Bytes.EMPTY);
        NamedRows.checkSpan(table.getName(), from, to);
        return new RowSpan(AvroBytes.buffer(from), AvroBytes.buffer(to));
    }

    /**
     * Of those that have a row in common one, for of their tablets one will be made whichever comes first; in the order of their rows. So together
     * they have few tablets more than their table.
     */
    private static List<RowSpan> joined(List<RowSpan> spans) {
        List<RowSpan> joined = new ArrayList<>();
        List<RowSpan> sorted = spans.stream()
                .sorted(Comparator.comparing(TableMerges::from).thenComparing(TableMerges::to))
                .toList();
        for (RowSpan span : sorted) {
            RowSpan last = joined.isEmpty() ? span : joined.remove(joined.size() - 1);
            if (from(span).compareTo(to(last)) > 0) {
                joined.add(last);
                joined.add(span);
            } else {
                joined.add(to(last).compareTo(to(span)) < 0 ? new RowSpan(last.getFrom(), span.getTo()) : last);
            }
        }
        return joined;
    }

    private static Bytes from(RowSpan span) {
        return AvroBytes.bytes(span.getFrom());
    }

    private static Bytes to(RowSpan span) {
        return AvroBytes.bytes(span.getTo());
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
        done(tableId);
        refusals.forget(tableId);
    }

    @Override
    public void done(long tableId) throws BigtableException {
        files.delete(tableId);
        wishes.remove(tableId);
        begun.removeIf(wish -> wish.tableId() == tableId);
        pauses.keySet().removeIf(wish -> wish.tableId() == tableId);
        merges.giveUp(tableId);
    }

    /** What has ended and could not all be done is told for a while, with no tablet left. */
    @Override
    public List<WorkLine> lines(WorkSight seen) {
        List<WorkLine> lines = refusals.ended(TableWork.MERGE, wishes.keySet());
        wishes.values().forEach(file -> lines.add(line(file, seen)));
        return lines;
    }

    private WorkLine line(MergeFile file, WorkSight seen) {
        List<RowSpan> spans = file.getSpans();
        Optional<TabletEnds> tablets = TabletEnds.of(seen.tablets(file.getTableId()));
        int left = tablets.map(ends -> spans.stream()
                        .mapToInt(span -> ends.countWithin(from(span), to(span)))
                        .sum())
                .orElse(1);
        Optional<String> unserved = tablets.flatMap(ends -> seen.unserved(holders(file.getTableId(), spans, ends)));
        Optional<String> hindrance = unserved.or(seen.sight()::noRoom);
        return new WorkLine(
                file.getTable(),
                TableWork.MERGE,
                Math.max(1, left),
                hindrance.orElse(null),
                refusals.of(file.getTableId()));
    }

    private static Stream<TabletId> holders(long tableId, List<RowSpan> spans, TabletEnds ends) {
        return spans.stream()
                .flatMap(span -> ends.holders(from(span), to(span)))
                .map(end -> new TabletId(tableId, end));
    }

    @Override
    public boolean look(long tableId, Set<TabletId> tablets, Sight sight) throws BigtableException {
        MergeFile file = wishes.get(tableId);
        Optional<TabletEnds> seen = TabletEnds.of(tablets);
        if (file == null || seen.isEmpty()) {
            return false;
        }
        TabletEnds ends = seen.get();
        List<RowSpan> left = file.getSpans().stream()
                .filter(span -> ends.hasWithin(from(span), to(span)))
                .collect(Collectors.toCollection(ArrayList::new));
        left.removeIf(span -> isRefused(file, span));
        Map<RowSpan, Merges.Wish> due = due(tableId, left);
        // Of all of them at once: each may have most of the table's tablets.
        SortedSet<TabletId> unserved = due.isEmpty()
                ? new TreeSet<>()
                : sight.unserved(
                        holders(tableId, List.copyOf(due.keySet()), ends).toList());
        boolean noRoom = sight.noRoom().isPresent();
        for (Map.Entry<RowSpan, Merges.Wish> next : due.entrySet()) {
            Merges.Wish wish = next.getValue();
            if (noRoom || !areServed(next.getKey(), tableId, ends, unserved)) {
                // An attempt would be in vain, and the others could neither move nor split meanwhile. The pause does
                // not grow: soon after the tablet is served, or a server has room, they are to be one.
                pauses.put(wish, Pause.NONE.longer(FIRST_PAUSE_NANOS, clock.nanos()));
            } else if (!attempt(file, wish, next.getKey(), left)) {
                // They wait in the file until others are done, or given up.
                break;
            }
        }
        if (left.size() < file.getSpans().size()) {
            save(new MergeFile(tableId, file.getTable(), List.copyOf(left)));
            // Else they would be begun anew where they could not be taken out.
            file.getSpans().stream()
                    .filter(span -> !left.contains(span))
                    .forEach(span -> merges.told(wish(tableId, span)));
        }
        return left.isEmpty();
    }

    /** Whether it can never be done, however long it was to rest: whoever waits is told. */
    private boolean isRefused(MergeFile file, RowSpan span) {
        Optional<RejectedException> why = merges.refusal(wish(file.getTableId(), span));
        why.ifPresent(never -> refuse(file, span, never));
        return why.isPresent();
    }

    private void refuse(MergeFile file, RowSpan span, RejectedException why) {
        log.warn(
                "table {}: rows from {} to {} are not merged: {}",
                file.getTable(),
                from(span),
                to(span),
                why.getMessage());
        refusals.add(file.getTableId(), file.getTable(), from(span), why);
    }

    private static Merges.Wish wish(long tableId, RowSpan span) {
        return new Merges.Wish(tableId, RowRange.of(from(span), to(span).successor()));
    }

    /** False where there is no room; of what cannot be done nothing is left. */
    private boolean attempt(MergeFile file, Merges.Wish wish, RowSpan span, List<RowSpan> left) {
        try {
            if (!merges.attempt(wish.tableId(), wish.rows())) {
                return false;
            }
            begun.add(wish);
            wake.run();
        } catch (RejectedException never) {
            refuse(file, span, never);
            left.remove(span);
        }
        return true;
    }

    /** Those that are not under way, and do not rest. */
    private Map<RowSpan, Merges.Wish> due(long tableId, List<RowSpan> spans) {
        Map<RowSpan, Merges.Wish> due = new LinkedHashMap<>();
        Set<Merges.Wish> all = new HashSet<>();
        for (RowSpan span : spans) {
            Merges.Wish wish = wish(tableId, span);
            all.add(wish);
            if (isTime(wish)) {
                due.put(span, wish);
            }
        }
        // Others are done, or part of one of these.
        begun.removeIf(wish -> wish.tableId() == tableId && !all.contains(wish));
        pauses.keySet().removeIf(wish -> wish.tableId() == tableId && !all.contains(wish));
        return due;
    }

    private static boolean areServed(RowSpan span, long tableId, TabletEnds ends, SortedSet<TabletId> unserved) {
        TabletId first = new TabletId(tableId, Optional.of(from(span)));
        TabletId last = new TabletId(tableId, ends.holding(to(span)).endRow());
        SortedSet<TabletId> behind = unserved.tailSet(first);
        return behind.isEmpty() || behind.first().compareTo(last) > 0;
    }

    private boolean isTime(Merges.Wish wish) {
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
        return pauses.getOrDefault(wish, Pause.NONE).isOver(clock.nanos());
    }
}
