package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.record.CompactTable;
import bt.record.CompactionFile;
import bt.record.CompactionLine;
import bt.record.CompactionReport;
import bt.record.CompactionWish;
import bt.record.CompactionsRequest;
import bt.record.Phase;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TabletReport;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Major compactions of tables that somebody has asked for. The wish lies in the lock service, so the next master knows it;
 * each look tells it to all servers, who do it and say of each tablet whether it is done. A tablet that moves or is split
 * before the wish has gone is compacted again where it is then. The wish goes when a look saw every tablet of the table, as a
 * pass has found them, and all were done. Owned by the master's thread.
 */
final class TableCompactions {
    private static final Logger log = LoggerFactory.getLogger(TableCompactions.class);

    /** The longest row's successor. */
    private static final int LONGEST_BOUND = Limits.ROW_BYTES + 1;

    private final LockService locks;
    private final Catalogue catalogue;
    private final Map<Long, Wish> wishes = new TreeMap<>();

    private TableCompactions(LockService locks, Catalogue catalogue) {
        this.locks = locks;
        this.catalogue = catalogue;
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

    /** With what an earlier master was asked for. */
    static TableCompactions load(LockService locks, Catalogue catalogue) throws BigtableException {
        TableCompactions compactions = new TableCompactions(locks, catalogue);
        for (String name : locks.children(Paths.COMPACTIONS)) {
            String path = Paths.COMPACTIONS + "/" + name;
            Optional<SmallFile> found = locks.read(path);
            if (found.isPresent()) {
                compactions.load(path, found.get());
            }
        }
        return compactions;
    }

    private void load(String path, SmallFile found) {
        try {
            CompactionFile file = AvroBytes.decode(path, found.content(), CompactionFile.class);
            wishes.put(file.getTableId(), Wish.of(file, found));
        } catch (CorruptionException damaged) {
            // Somebody may have to ask again; no master must fail for it.
            log.warn("a compaction that was asked for is forgotten: {}", damaged.getMessage());
        }
    }

    /** What every look tells the servers. */
    List<CompactionWish> told() {
        return wishes.values().stream().map(Wish::told).toList();
    }

    boolean concern(long tableId) {
        return wishes.containsKey(tableId);
    }

    /** The answer; empty when the message is for somebody else. */
    Optional<SpecificRecord> hear(SpecificRecord message, Map<Long, Set<TabletId>> tablets, Sight sight)
            throws BigtableException {
        if (message instanceof CompactionsRequest) {
            return Optional.of(report(wishes.values().stream().toList(), tablets, sight));
        }
        if (message instanceof CompactTable asked) {
            if (asked.getUndo()) {
                forget(asked.getTableId());
                return Optional.of(new CompactionReport(List.of()));
            }
            return Optional.of(report(List.of(begin(asked)), tablets, sight));
        }
        return Optional.empty();
    }

    private Wish begin(CompactTable asked) throws BigtableException {
        long id = asked.getTableId();
        TableRecord table = active(id)
                .orElseThrow(() -> new RejectedException("table " + id + " does not exist: list the tables that do"));
        checkRows(table, asked);
        Wish before = wishes.get(id);
        CompactionFile file = before == null
                ? new CompactionFile(id, table.getName(), asked.getFrom(), asked.getTo())
                : new CompactionFile(
                        id,
                        table.getName(),
                        AvroBytes.buffer(earlier(asked, before.file())),
                        AvroBytes.buffer(later(asked, before.file())));
        Wish wish = Wish.of(file, write(id, AvroBytes.encode(file)));
        wishes.put(id, wish);
        log.info("table {} is to be compacted, number {}", table.getName(), wish.number());
        return wish;
    }

    private Optional<TableRecord> active(long tableId) throws BigtableException {
        return catalogue.table(tableId).filter(found -> found.getPhase() == TablePhase.ACTIVE);
    }

    /** They lie in a small file, and each look names them to every server. */
    private static void checkRows(TableRecord table, CompactTable asked) throws RejectedException {
        Bytes from = AvroBytes.bytes(asked.getFrom());
        Optional<Bytes> to = AvroBytes.optionalBytes(asked.getTo());
        int longest = Math.max(from.length(), to.map(Bytes::length).orElse(0));
        if (longest > LONGEST_BOUND) {
            throw new RejectedException("table " + table.getName() + ": a range that begins or ends with a row of "
                    + longest + " bytes: name one of " + Limits.ROW_BYTES + " at most");
        }
        if (new RowRange(from, to).isEmpty()) {
            throw new RejectedException(
                    "table " + table.getName()
                            + ": no row lies in a range that ends where it begins, or before: name an end behind its beginning");
        }
    }

    private SmallFile write(long tableId, Bytes content) throws BigtableException {
        String path = Paths.compaction(tableId);
        Optional<SmallFile> there = locks.read(path);
        return there.isPresent() ? locks.write(path, content, there.get().version()) : locks.create(path, content);
    }

    private static Bytes earlier(CompactTable asked, CompactionFile before) {
        Bytes one = AvroBytes.bytes(asked.getFrom());
        Bytes other = AvroBytes.bytes(before.getFrom());
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** Empty: up to the last row. */
    private static Optional<Bytes> later(CompactTable asked, CompactionFile before) {
        Optional<Bytes> one = AvroBytes.optionalBytes(asked.getTo());
        Optional<Bytes> other = AvroBytes.optionalBytes(before.getTo());
        if (one.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        return one.get().compareTo(other.get()) >= 0 ? one : other;
    }

    private void forget(long tableId) throws BigtableException {
        locks.delete(Paths.compaction(tableId));
        wishes.remove(tableId);
    }

    /**
     * What is done is forgotten, and what concerns a table that is not active any more.
     *
     * @param active the active tables, where the last pass read the files of all
     * @param tablets of each table with a wish, as the last pass saw them, where that left nothing to do
     */
    void look(Optional<Set<Long>> active, Optional<Map<Long, Set<TabletId>>> tablets, Sight sight) {
        for (Wish wish : List.copyOf(wishes.values())) {
            long id = wish.file().getTableId();
            boolean mayBeGone = active.isPresent() && !active.get().contains(id);
            boolean isDone = tablets.isPresent()
                    && !tablets.get().getOrDefault(id, Set.of()).isEmpty()
                    && left(wish, tablets.get(), sight) == 0;
            if (isDone || mayBeGone) {
                end(wish, isDone);
            }
        }
    }

    /** The pass may be older than the table, or than its coming back: of what is gone the catalogue has the last word. */
    private void end(Wish wish, boolean isDone) {
        try {
            if (!isDone && active(wish.file().getTableId()).isPresent()) {
                return;
            }
            forget(wish.file().getTableId());
            log.info("table {} is {}", wish.file().getTable(), isDone ? "compacted" : "not compacted: it is dropped");
        } catch (BigtableException notNow) {
            // The next look finds it so too.
            log.debug("{}: {}", Paths.compaction(wish.file().getTableId()), notNow.getMessage());
        }
    }

    /** Before a pass has seen the table, and before a look has found all done, one tablet is left at least. */
    private static CompactionReport report(List<Wish> wishes, Map<Long, Set<TabletId>> tablets, Sight sight) {
        return new CompactionReport(wishes.stream()
                .map(wish -> new CompactionLine(wish.file().getTable(), Math.max(1, left(wish, tablets, sight))))
                .toList());
    }

    /** Those that the last pass saw and those that servers report: right after a split the pass has not seen the lower half. */
    private static int left(Wish wish, Map<Long, Set<TabletId>> tablets, Sight sight) {
        long id = wish.file().getTableId();
        Set<TabletId> left = new HashSet<>(tablets.getOrDefault(id, Set.of()));
        Set<TabletId> done = new HashSet<>();
        for (Poll.Holdings holdings : sight.answered().values()) {
            holdings.tablets().forEach((tablet, report) -> {
                if (tablet.tableId() == id && report.getFailure() == null) {
                    left.add(tablet);
                    if (isDone(report, wish)) {
                        done.add(tablet);
                    }
                }
            });
        }
        left.removeAll(done);
        return left.size();
    }

    private static boolean isDone(TabletReport report, Wish wish) {
        return report.getPhase() == Phase.SERVING && report.getCompacted() == wish.number();
    }
}
