package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Failures;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.master.SplitSteps.Step;
import bt.model.Limits;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.SplitFile;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits of tables' tablets that somebody has asked for: of each table one at a time, by the server that has the tablet. How
 * far it is lies in the lock service, so the next master goes on there. Owned by the master's thread.
 */
final class TableSplits implements TableWishes.Kind {
    private static final Logger log = LoggerFactory.getLogger(TableSplits.class);

    /** Most of it is the minor compaction, during which the tablet is served. */
    private static final long SPLIT_MILLIS = 120_000;

    /** They lie in a small file. */
    private static final int MOST_BYTES = 500_000;

    private static final int ROW_OVERHEAD_BYTES = 50;
    private static final long COME_BACK_MILLIS = 5_000;

    /** What came before, another split say, may be ended at once in METADATA. */
    private static final long FIRST_PAUSE_NANOS = 200_000_000L;

    private final WishFiles files;
    private final TabletOrders orders;
    private final Clock clock;
    private final Map<Long, Wish> wishes = new TreeMap<>();

    private TableSplits(WishFiles files, TabletOrders orders, Clock clock) {
        this.files = files;
        this.orders = orders;
        this.clock = clock;
    }

    /** What is to be split of a table, and what its servers are asked for. */
    private static final class Wish {
        private SplitFile file;
        private Optional<Asked> asked = Optional.empty();
        private Pause pause = Pause.NONE;

        private Wish(SplitFile file) {
            this.file = file;
        }
    }

    /** Completes with whether the step is done, or can never be. */
    private record Asked(Step step, CompletableFuture<Boolean> over) {}

    /** With what an earlier master was asked for. */
    static TableSplits load(WishFiles files, TabletOrders orders, Clock clock) throws BigtableException {
        TableSplits splits = new TableSplits(files, orders, clock);
        files.read(SplitFile.class, (file, found) -> splits.wishes.put(file.getTableId(), new Wish(file)));
        return splits;
    }

    @Override
    public Set<Long> tables() {
        return Set.copyOf(wishes.keySet());
    }

    /** To ask for what is under way already is to ask for nothing. */
    @Override
    public WorkLine begin(WorkOnTable asked, TableRecord table, Map<Long, Set<TabletId>> tablets, Sight sight)
            throws BigtableException {
        Wish before = wishes.get(table.getId());
        SplitFile now = before == null
                ? new SplitFile(table.getId(), table.getName(), List.of(), false, null, null)
                : before.file;
        SplitFile wanted = with(now, AvroBytes.bytes(asked.getFrom()));
        if (!wanted.equals(now)) {
            files.write(table.getId(), wanted);
            log.info("tablets of table {} are to be split", table.getName());
        }
        Wish wish = before == null ? new Wish(wanted) : before;
        wish.file = wanted;
        wishes.put(table.getId(), wish);
        return line(wish, tablets);
    }

    /** Behind a row; the empty one: everywhere. */
    private static SplitFile with(SplitFile now, Bytes row) throws BigtableException {
        if (row.isEmpty()) {
            return now.getEverywhere()
                    ? now
                    : SplitFile.newBuilder(now).setEverywhere(true).build();
        }
        if (row.length() > Limits.ROW_BYTES) {
            throw new RejectedException("table " + now.getTable() + ": a split row of " + row.length()
                    + " bytes: name one of 1 to " + Limits.ROW_BYTES);
        }
        List<ByteBuffer> rows = new ArrayList<>(now.getRows());
        if (rows.contains(AvroBytes.buffer(row))) {
            return now;
        }
        rows.add(AvroBytes.buffer(row));
        int bytes = rows.stream()
                .mapToInt(each -> each.remaining() + ROW_OVERHEAD_BYTES)
                .sum();
        if (bytes > MOST_BYTES) {
            throw new OverloadedException(
                    "table " + now.getTable() + ": its tablets are to be split behind "
                            + now.getRows().size() + " rows already: wait for some of them",
                    COME_BACK_MILLIS);
        }
        return SplitFile.newBuilder(now).setRows(rows).build();
    }

    @Override
    public void forget(long tableId) throws BigtableException {
        files.delete(tableId);
        wishes.remove(tableId);
    }

    @Override
    public List<WorkLine> lines(Map<Long, Set<TabletId>> tablets, Sight sight) {
        return wishes.values().stream().map(wish -> line(wish, tablets)).toList();
    }

    private static WorkLine line(Wish wish, Map<Long, Set<TabletId>> tablets) {
        SplitFile file = wish.file;
        int inTheMiddle = file.getEverywhere()
                ? TabletEnds.of(tablets.getOrDefault(file.getTableId(), Set.of()))
                        .map(ends -> ends.countBehind(AvroBytes.optionalBytes(file.getPassed())))
                        .orElse(1)
                : 0;
        return new WorkLine(
                file.getTable(), TableWork.SPLIT, Math.max(1, file.getRows().size() + inTheMiddle));
    }

    @Override
    public boolean look(long tableId, Set<TabletId> tablets, Sight sight) throws BigtableException {
        Wish wish = wishes.get(tableId);
        Optional<TabletEnds> ends = TabletEnds.of(tablets);
        if (wish == null || ends.isEmpty() || !settle(wish, ends.get())) {
            return false;
        }
        Optional<Step> next = SplitSteps.next(wish.file, ends.get());
        if (next.isEmpty()) {
            return true;
        }
        Optional<Member> holder =
                wish.pause.isOver(clock.nanos()) ? holder(tableId, next.get(), sight) : Optional.empty();
        if (holder.isPresent()) {
            save(wish, SplitSteps.begun(wish.file, next.get()));
            wish.asked = Optional.of(ask(wish.file, next.get(), holder.get()));
        }
        return false;
    }

    /** Takes what has been answered, and what METADATA shows; false as long as a server is asked. */
    private boolean settle(Wish wish, TabletEnds ends) throws BigtableException {
        SplitFile file = wish.file;
        if (wish.asked.isPresent()) {
            Asked asked = wish.asked.get();
            if (!asked.over().isDone()) {
                return false;
            }
            wish.asked = Optional.empty();
            boolean isOver = asked.over().join();
            wish.pause = isOver ? Pause.NONE : wish.pause.longer(FIRST_PAUSE_NANOS, clock.nanos());
            file = isOver ? SplitSteps.ended(file, asked.step()) : file;
        }
        save(wish, SplitSteps.settled(file, ends));
        return true;
    }

    private void save(Wish wish, SplitFile file) throws BigtableException {
        if (!file.equals(wish.file)) {
            files.write(file.getTableId(), file);
            wish.file = file;
        }
    }

    private static Optional<Member> holder(long tableId, Step step, Sight sight) {
        TabletId tablet = new TabletId(tableId, step.tablet().endRow());
        return sight.answered().keySet().stream()
                .filter(member -> sight.report(member, tablet)
                        .filter(report -> report.getPhase() == Phase.SERVING)
                        .isPresent())
                .findFirst();
    }

    private Asked ask(SplitFile file, Step step, Member holder) {
        CompletableFuture<Boolean> over = orders.split(
                        file.getTableId(), step.tablet(), step.row(), holder, SPLIT_MILLIS)
                .handle((answer, failure) -> failure == null || isHopeless(file, failure));
        return new Asked(step, over);
    }

    private static boolean isHopeless(SplitFile file, Throwable failure) {
        Throwable why = Failures.unwrap(failure);
        boolean isHopeless = why instanceof RejectedException;
        log.info("table {}: {}{}", file.getTable(), why.getMessage(), isHopeless ? "" : "; tried again");
        return isHopeless;
    }
}
