package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.Failures;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.master.SplitSteps.Step;
import bt.model.Limits;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.record.Phase;
import bt.record.SplitFile;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.TabletSplit;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
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

    /** Longer than from one pass to the next: a tablet that no server has for so long is not waited for. */
    private static final long UNSERVED_NANOS = 30_000_000_000L;

    private final WishFiles files;
    private final TabletOrders orders;
    private final Clock clock;
    private final Runnable wake;
    private final TabletRoom room;
    private final Map<Long, Wish> wishes = new TreeMap<>();
    private final WorkRefusals refusals;

    private TableSplits(WishFiles files, TabletOrders orders, Clock clock, Runnable wake, TabletRoom room) {
        this.files = files;
        this.orders = orders;
        this.clock = clock;
        this.wake = wake;
        this.room = room;
        this.refusals = new WorkRefusals(clock);
    }

    /** What is to be split of a table, and what its servers are asked for. */
    private static final class Wish {
        private SplitFile file;
        private Optional<Asked> asked = Optional.empty();
        private Pause pause = Pause.NONE;
        private Optional<Unserved> unserved = Optional.empty();

        /** Where tablets ended when a pass saw them, and where those end that have been split off since. */
        private Optional<TabletEnds> seen = Optional.empty();

        private final Set<Bytes> newEnds = new HashSet<>();

        /** Why the last step could not be done, which is tried again. */
        private Optional<String> hindrance = Optional.empty();

        private Wish(SplitFile file) {
            this.file = file;
        }

        void saw(TabletEnds now) {
            if (!seen.equals(Optional.of(now))) {
                seen = Optional.of(now);
                newEnds.clear();
            }
        }

        TabletEnds ends() {
            return seen.orElseThrow().with(newEnds);
        }
    }

    private record Asked(Step step, CompletableFuture<Result> result) {}

    /** Whether a step is done, or can never be; if a tablet was split, the row behind which. */
    private record Result(boolean isOver, Optional<Bytes> row, Optional<Throwable> failure) {}

    /** A tablet to be split in its middle that no server has. */
    private record Unserved(Step step, long sinceNanos) {}

    /** With what an earlier master was asked for. {@code wake} has the master look at once. */
    static TableSplits load(WishFiles files, TabletOrders orders, Clock clock, Runnable wake, TabletRoom room)
            throws BigtableException {
        TableSplits splits = new TableSplits(files, orders, clock, wake, room);
        files.read(SplitFile.class, (file, found) -> splits.wishes.put(file.getTableId(), new Wish(file)));
        return splits;
    }

    @Override
    public Set<Long> tables() {
        return Set.copyOf(wishes.keySet());
    }

    /** To ask for what is under way already is to ask for nothing. */
    @Override
    public WorkLine begin(WorkOnTable asked, TableRecord table, WorkSight seen) throws BigtableException {
        Wish before = wishes.get(table.getId());
        SplitFile now = before == null
                ? new SplitFile(table.getId(), table.getName(), List.of(), false, null, null)
                : before.file;
        Bytes row = AvroBytes.bytes(asked.getFrom());
        SplitFile wanted = with(now, row);
        if (!wanted.equals(now)) {
            // Where each is split in its middle nobody knows yet with which rows: they are like those that there are.
            room.check(
                    "table " + table.getName(),
                    row.isEmpty()
                            ? TabletRoom.More.of(seen.tablets(table.getId()), 0)
                            : new TabletRoom.More(1, row.length(), 0));
            files.checkRoom(table.getId(), table.getName(), wanted);
            files.write(table.getId(), wanted);
            log.info("tablets of table {} are to be split", table.getName());
        }
        Wish wish = before == null ? new Wish(wanted) : before;
        wish.file = wanted;
        wishes.put(table.getId(), wish);
        refusals.forget(table.getId(), row);
        return line(wish, seen);
    }

    /** Behind a row; the empty one: everywhere. */
    private static SplitFile with(SplitFile now, Bytes row) throws BigtableException {
        if (row.isEmpty()) {
            return now.getEverywhere()
                    ? now
                    : SplitFile.newBuilder(now).setEverywhere(true).build();
        }
        if (row.length() > Limits.ROW_BYTES) {
            throw new RejectedException(
                    "table " + now.getTable() + ": a split row of " + row.length() + " bytes",
                    "name one of 1 to " + Limits.ROW_BYTES);
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
    public void done(long tableId) throws BigtableException {
        files.delete(tableId);
        wishes.remove(tableId);
    }

    @Override
    public void forget(long tableId) throws BigtableException {
        done(tableId);
        refusals.forget(tableId);
    }

    /** What has ended and could not all be done is told for a while, with no tablet left. */
    @Override
    public List<WorkLine> lines(WorkSight seen) {
        List<WorkLine> lines = refusals.ended(TableWork.SPLIT, wishes.keySet());
        wishes.values().forEach(wish -> lines.add(line(wish, seen)));
        return lines;
    }

    private WorkLine line(Wish wish, WorkSight seen) {
        SplitFile file = wish.file;
        Optional<TabletEnds> ends = TabletEnds.of(seen.tablets(file.getTableId()));
        int inTheMiddle = file.getEverywhere()
                ? ends.map(all -> all.countBehind(AvroBytes.optionalBytes(file.getPassed())))
                        .orElse(1)
                : 0;
        Optional<String> unserved = seen.unserved(ends.stream()
                .flatMap(all -> SplitSteps.next(file, all))
                .map(step -> new TabletId(file.getTableId(), step.tablet().endRow())));
        return new WorkLine(
                file.getTable(),
                TableWork.SPLIT,
                Math.max(1, file.getRows().size() + inTheMiddle),
                unserved.or(() -> wish.hindrance).orElse(null),
                refusals.of(file.getTableId()));
    }

    @Override
    public boolean look(long tableId, Set<TabletId> tablets, Sight sight) throws BigtableException {
        Wish wish = wishes.get(tableId);
        Optional<TabletEnds> seen = TabletEnds.of(tablets);
        if (wish == null || seen.isEmpty()) {
            return false;
        }
        wish.saw(seen.get());
        if (!settle(wish)) {
            return false;
        }
        List<Step> steps = SplitSteps.next(wish.file, wish.ends()).toList();
        if (steps.isEmpty()) {
            return true;
        }
        if (wish.pause.isOver(clock.nanos())) {
            begin(wish, steps, sight);
        }
        return false;
    }

    /** Takes what has been answered, and what METADATA shows; false as long as a server is asked. */
    private boolean settle(Wish wish) throws BigtableException {
        SplitFile file = wish.file;
        if (wish.asked.isPresent()) {
            Asked asked = wish.asked.get();
            if (!asked.result().isDone()) {
                return false;
            }
            wish.asked = Optional.empty();
            file = heard(wish, asked.step(), asked.result().join());
        }
        save(wish, SplitSteps.settled(file, wish.ends()));
        return true;
    }

    private SplitFile heard(Wish wish, Step step, Result result) {
        result.row().ifPresent(wish.newEnds::add);
        if (result.isOver()) {
            wish.pause = Pause.NONE;
            wish.hindrance = Optional.empty();
            result.failure()
                    .ifPresent(why -> refusals.add(
                            wish.file.getTableId(),
                            wish.file.getTable(),
                            step.row().orElse(Bytes.EMPTY),
                            why));
            return SplitSteps.ended(wish.file, step);
        }
        if (!wish.pause.equals(Pause.NONE)) {
            // It is nothing that ends at once: perhaps there is no such tablet any more. The next pass knows.
            wish.newEnds.clear();
        }
        wish.pause = wish.pause.longer(FIRST_PAUSE_NANOS, clock.nanos());
        wish.hindrance = result.failure().map(Throwable::getMessage);
        return SplitSteps.failed(wish.file, step);
    }

    /** The first step whose tablet is served. Rows of others wait for it; a tablet to be split in its middle is left at last. */
    private void begin(Wish wish, List<Step> steps, Sight sight) throws BigtableException {
        Set<TabletId> unserved =
                sight.unserved(steps.stream().map(step -> tablet(wish, step)).toList());
        for (Step step : steps) {
            Optional<Member> holder =
                    unserved.contains(tablet(wish, step)) ? Optional.empty() : holder(tablet(wish, step), sight);
            if (holder.isPresent()) {
                wish.unserved = Optional.empty();
                save(wish, SplitSteps.begun(wish.file, step));
                wish.asked = Optional.of(ask(wish.file, step, holder.get()));
                return;
            }
        }
        Step last = steps.get(steps.size() - 1);
        if (last.row().isEmpty() && isUnservedForLong(wish, last)) {
            log.info("table {}: a tablet that nobody serves is not split", wish.file.getTable());
            save(wish, SplitSteps.ended(SplitSteps.begun(wish.file, last), last));
        }
    }

    private boolean isUnservedForLong(Wish wish, Step step) {
        Unserved unserved = wish.unserved
                .filter(before -> before.step().equals(step))
                .orElseGet(() -> new Unserved(step, clock.nanos()));
        wish.unserved = Optional.of(unserved);
        return clock.nanos() - unserved.sinceNanos() >= UNSERVED_NANOS;
    }

    private void save(Wish wish, SplitFile file) throws BigtableException {
        if (!file.equals(wish.file)) {
            files.write(file.getTableId(), file);
            wish.file = file;
        }
    }

    private static TabletId tablet(Wish wish, Step step) {
        return new TabletId(wish.file.getTableId(), step.tablet().endRow());
    }

    private static Optional<Member> holder(TabletId tablet, Sight sight) {
        return sight.answered().keySet().stream()
                .filter(member -> sight.report(member, tablet)
                        .filter(report -> report.getPhase() == Phase.SERVING)
                        .isPresent())
                .findFirst();
    }

    private Asked ask(SplitFile file, Step step, Member holder) {
        CompletableFuture<Result> result = orders.split(
                        file.getTableId(), step.tablet(), step.row(), holder, SPLIT_MILLIS)
                .handle((answer, failure) -> failure == null
                        ? new Result(true, splitRow(answer), Optional.empty())
                        : new Result(
                                isHopeless(file, failure), Optional.empty(), Optional.of(Failures.unwrap(failure))));
        CompletableFuture<?> unused = result.thenRun(wake);
        return new Asked(step, result);
    }

    private static Optional<Bytes> splitRow(Answer answer) {
        return answer instanceof Answer.Control control && control.message() instanceof TabletSplit split
                ? Optional.of(AvroBytes.bytes(split.getRow()))
                : Optional.empty();
    }

    /** What another attempt would be refused too: no middle, say, or a damaged file. */
    private static boolean isHopeless(SplitFile file, Throwable failure) {
        Throwable why = Failures.unwrap(failure);
        boolean isHopeless = why instanceof RejectedException || why instanceof CorruptionException;
        log.info("table {}: {}{}", file.getTable(), why.getMessage(), isHopeless ? "" : "; tried again");
        return isHopeless;
    }
}
