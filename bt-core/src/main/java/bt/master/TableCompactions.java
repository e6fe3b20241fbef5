package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.SmallFile;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.record.CompactionFile;
import bt.record.CompactionWish;
import bt.record.Phase;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.TabletReport;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Major compactions, or flushes, of tables that somebody has asked for. The wish lies in the lock service, so the next master
 * knows it; each look tells it to all servers, who do it and say of each tablet whether it is done. A tablet that moves or
 * is split before the wish has gone goes through it again where it is then. It is done when a look saw every tablet of the
 * table, as a pass has found them, and all were done. Owned by the master's thread.
 */
final class TableCompactions implements TableWishes.Kind {
    private static final Logger log = LoggerFactory.getLogger(TableCompactions.class);

    /** The longest row's successor. */
    private static final int LONGEST_BOUND = Limits.ROW_BYTES + 1;

    private final TableWork work;
    private final WishFiles files;
    private final Map<Long, Wish> wishes = new TreeMap<>();

    private TableCompactions(TableWork work, WishFiles files) {
        this.work = work;
        this.files = files;
    }

    /** What its file says, and the number that servers know it by. */
    private record Wish(CompactionFile file, long number) {
        /** Each write of a file is a transaction of the lock service: so this rises with every write of every such file. */
        static Wish of(CompactionFile content, SmallFile written) {
            return new Wish(content, written.createdTransaction() + written.version());
        }

        CompactionWish told() {
            return new CompactionWish(file.getTableId(), number, file.getFrom(), file.getTo());
        }
    }

    /** With what an earlier master was asked for: compactions or flushes. */
    static TableCompactions load(TableWork work, WishFiles files) throws BigtableException {
        TableCompactions compactions = new TableCompactions(work, files);
        files.read(
                CompactionFile.class, (file, found) -> compactions.wishes.put(file.getTableId(), Wish.of(file, found)));
        return compactions;
    }

    /** What every look tells the servers. */
    List<CompactionWish> told() {
        return wishes.values().stream().map(Wish::told).toList();
    }

    @Override
    public Set<Long> tables() {
        return Set.copyOf(wishes.keySet());
    }

    @Override
    public WorkLine begin(WorkOnTable asked, TableRecord table, WorkSight seen) throws BigtableException {
        checkRows(table, asked);
        long id = table.getId();
        Wish before = wishes.get(id);
        CompactionFile file = before == null
                ? new CompactionFile(id, table.getName(), asked.getFrom(), asked.getTo())
                : new CompactionFile(
                        id,
                        table.getName(),
                        AvroBytes.buffer(earlier(asked, before.file())),
                        AvroBytes.buffer(later(asked, before.file())));
        Wish wish = Wish.of(file, files.write(id, file));
        wishes.put(id, wish);
        log.info("table {}: {} is asked for, number {}", table.getName(), work, wish.number());
        return line(wish, seen);
    }

    /** They lie in a small file, and each look names them to every server. */
    private static void checkRows(TableRecord table, WorkOnTable asked) throws RejectedException {
        Bytes from = AvroBytes.bytes(asked.getFrom());
        Optional<Bytes> to = AvroBytes.optionalBytes(asked.getTo());
        int longest = Math.max(from.length(), to.map(Bytes::length).orElse(0));
        if (longest > LONGEST_BOUND) {
            throw new RejectedException(
                    "table " + table.getName() + ": a range that begins or ends with a row of " + longest + " bytes",
                    "name one of " + LONGEST_BOUND + " at most");
        }
        if (new RowRange(from, to).isEmpty()) {
            throw new RejectedException(
                    "table " + table.getName() + ": no row lies in a range that ends where it begins, or before",
                    "name an end behind its beginning");
        }
    }

    private static Bytes earlier(WorkOnTable asked, CompactionFile before) {
        Bytes one = AvroBytes.bytes(asked.getFrom());
        Bytes other = AvroBytes.bytes(before.getFrom());
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** Empty: up to the last row. */
    private static Optional<Bytes> later(WorkOnTable asked, CompactionFile before) {
        Optional<Bytes> one = AvroBytes.optionalBytes(asked.getTo());
        Optional<Bytes> other = AvroBytes.optionalBytes(before.getTo());
        if (one.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        return one.get().compareTo(other.get()) >= 0 ? one : other;
    }

    @Override
    public void forget(long tableId) throws BigtableException {
        files.delete(tableId);
        wishes.remove(tableId);
    }

    @Override
    public boolean look(long tableId, Set<TabletId> tablets, Sight sight) {
        Wish wish = wishes.get(tableId);
        return wish != null && left(wish, tablets, sight).isEmpty();
    }

    @Override
    public List<WorkLine> lines(WorkSight seen) {
        return wishes.values().stream().map(wish -> line(wish, seen)).toList();
    }

    /** Before a pass has seen the table, and before a look has found all done, one tablet is left at least. */
    private WorkLine line(Wish wish, WorkSight seen) {
        Set<TabletId> left = left(wish, seen.tablets(wish.file().getTableId()), seen.sight());
        return new WorkLine(
                wish.file().getTable(),
                work,
                Math.max(1, left.size()),
                seen.unserved(left.stream())
                        .or(() -> failure(wish, seen.sight()))
                        .orElse(null),
                List.of());
    }

    /** Of the first tablet in which it could not be done when it was tried last. */
    private Optional<String> failure(Wish wish, Sight sight) {
        TreeMap<TabletId, String> failures = new TreeMap<>();
        for (ReportsByTable.Tablet tablet :
                sight.tables().of(wish.file().getTableId()).tablets()) {
            TabletReport report = tablet.report();
            String failure = work == TableWork.FLUSH ? report.getFlushFailure() : report.getCompactionFailure();
            if (failure != null) {
                failures.put(tablet.id(), failure);
            }
        }
        return Optional.ofNullable(failures.firstEntry())
                .map(first -> first.getKey().inWords() + ": " + first.getValue());
    }

    /** Those that the last pass saw and those that servers report: right after a split the pass has not seen the lower half. */
    private Set<TabletId> left(Wish wish, Set<TabletId> seen, Sight sight) {
        Set<TabletId> left = new HashSet<>(seen);
        Set<TabletId> done = new HashSet<>();
        for (ReportsByTable.Tablet tablet :
                sight.tables().of(wish.file().getTableId()).tablets()) {
            if (tablet.report().getFailure() == null) {
                left.add(tablet.id());
                if (isDone(tablet.report(), wish)) {
                    done.add(tablet.id());
                }
            }
        }
        left.removeAll(done);
        return left;
    }

    private boolean isDone(TabletReport report, Wish wish) {
        long done = work == TableWork.FLUSH ? report.getFlushed() : report.getCompacted();
        return report.getPhase() == Phase.SERVING && done == wish.number();
    }
}
