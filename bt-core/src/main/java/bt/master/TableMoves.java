package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Failures;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.model.Limits;
import bt.model.TabletId;
import bt.record.MoveFile;
import bt.record.Phase;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.TabletMove;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves of tables' tablets that somebody has asked for and that are to go on until they are done, each of the tablet that holds
 * a row, whichever that is by then. One that fails rests, and is tried again; one to a server that is dead, or drains, is
 * refused. Owned by the master's thread.
 */
final class TableMoves implements TableWishes.Kind {
    private static final Logger log = LoggerFactory.getLogger(TableMoves.class);

    /** They lie in a small file. */
    private static final int MOST_BYTES = 500_000;

    private static final int OVERHEAD_BYTES = 50;
    private static final long COME_BACK_MILLIS = 5_000;

    /** What came before, a split say, ends soon. */
    private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;

    private final WishFiles files;
    private final MoveCommands commands;
    private final Clock clock;
    private final Runnable wake;
    private final Map<Long, MoveFile> wishes = new TreeMap<>();
    private final Map<Key, Attempt> attempts = new HashMap<>();
    private final WorkRefusals refusals;

    private TableMoves(WishFiles files, MoveCommands commands, Clock clock, Runnable wake) {
        this.files = files;
        this.commands = commands;
        this.clock = clock;
        this.wake = wake;
        this.refusals = new WorkRefusals(clock);
    }

    private record Key(long tableId, TabletMove move) {}

    /** The last one of a move, and how long it is not tried again if that has failed. */
    private record Attempt(CompletableFuture<Void> end, Pause pause) {
        private static final Attempt NONE = new Attempt(CompletableFuture.completedFuture(null), Pause.NONE);

        Optional<String> failure() {
            return end.handle((nothing, failure) -> Optional.ofNullable(failure).map(Failures::said))
                    .getNow(Optional.empty());
        }
    }

    /** With what an earlier master was asked for. {@code wake} has the master look at once. */
    static TableMoves load(WishFiles files, MoveCommands commands, Clock clock, Runnable wake)
            throws BigtableException {
        TableMoves moves = new TableMoves(files, commands, clock, wake);
        files.read(MoveFile.class, (file, found) -> moves.wishes.put(file.getTableId(), file));
        return moves;
    }

    @Override
    public Set<Long> tables() {
        return Set.copyOf(wishes.keySet());
    }

    /** Of a row there is one: to name another server is to ask for that instead. */
    @Override
    public WorkLine begin(WorkOnTable asked, TableRecord table, WorkSight seen) throws BigtableException {
        TabletMove wanted = wanted(asked, table, seen.sight());
        List<TabletMove> moves = new ArrayList<>(of(table.getId()));
        if (!moves.contains(wanted)) {
            moves.removeIf(before -> before.getRow().equals(wanted.getRow()));
            moves.add(wanted);
            int bytes = moves.stream()
                    .mapToInt(
                            each -> each.getRow().remaining() + each.getServer().length() + OVERHEAD_BYTES)
                    .sum();
            if (bytes > MOST_BYTES) {
                throw new OverloadedException(
                        "table " + table.getName() + ": " + (moves.size() - 1)
                                + " moves of its tablets are under way: wait for some of them",
                        COME_BACK_MILLIS);
            }
            MoveFile file = new MoveFile(table.getId(), table.getName(), moves);
            files.checkRoom(table.getId(), table.getName(), file);
            save(file);
            log.info("a tablet of table {} is to move to {}", table.getName(), wanted.getServer());
        }
        refusals.forget(table.getId(), AvroBytes.bytes(asked.getFrom()));
        wake.run();
        return line(new MoveFile(table.getId(), table.getName(), moves), seen);
    }

    private static TabletMove wanted(WorkOnTable asked, TableRecord table, Sight sight) throws BigtableException {
        int bytes = asked.getFrom().remaining();
        if (bytes == 0 || bytes > Limits.ROW_BYTES || asked.getServer() == null) {
            throw new RejectedException(
                    "table " + table.getName() + ": a move of the tablet that holds a row of " + bytes + " bytes",
                    "name a server, and a row of 1 to " + Limits.ROW_BYTES);
        }
        return new TabletMove(
                asked.getFrom(), MoveCommands.taker(asked.getServer(), sight).id());
    }

    private List<TabletMove> of(long tableId) {
        return Optional.ofNullable(wishes.get(tableId)).map(MoveFile::getMoves).orElse(List.of());
    }

    private void save(MoveFile file) throws BigtableException {
        files.write(file.getTableId(), file);
        wishes.put(file.getTableId(), file);
        attempts.keySet()
                .removeIf(key ->
                        key.tableId() == file.getTableId() && !file.getMoves().contains(key.move()));
    }

    @Override
    public void done(long tableId) throws BigtableException {
        files.delete(tableId);
        wishes.remove(tableId);
        attempts.keySet().removeIf(key -> key.tableId() == tableId);
    }

    /** A tablet that is on its way already arrives. */
    @Override
    public void forget(long tableId) throws BigtableException {
        done(tableId);
        refusals.forget(tableId);
    }

    /** What has ended and could not all be done is told for a while, with no tablet left. */
    @Override
    public List<WorkLine> lines(WorkSight seen) {
        List<WorkLine> lines = refusals.ended(TableWork.MOVE, wishes.keySet());
        wishes.values().forEach(file -> lines.add(line(file, seen)));
        return lines;
    }

    private WorkLine line(MoveFile file, WorkSight seen) {
        long id = file.getTableId();
        Optional<TabletEnds> ends = TabletEnds.of(seen.tablets(id));
        Optional<String> failure = file.getMoves().stream()
                .flatMap(move -> attempts.getOrDefault(new Key(id, move), Attempt.NONE).failure().stream())
                .findFirst();
        Optional<String> unserved = seen.unserved(
                ends.stream().flatMap(all -> file.getMoves().stream().map(move -> holding(id, move, all))));
        return new WorkLine(
                file.getTable(),
                TableWork.MOVE,
                Math.max(1, file.getMoves().size()),
                failure.or(() -> unserved).orElse(null),
                refusals.of(id));
    }

    private static TabletId holding(long tableId, TabletMove move, TabletEnds ends) {
        return new TabletId(
                tableId, ends.holding(AvroBytes.bytes(move.getRow())).endRow());
    }

    @Override
    public boolean look(long tableId, Set<TabletId> tablets, Sight sight)
            throws BigtableException, InterruptedException {
        MoveFile file = wishes.get(tableId);
        Optional<TabletEnds> ends = TabletEnds.of(tablets);
        if (file == null || ends.isEmpty()) {
            return false;
        }
        List<TabletMove> left = new ArrayList<>();
        for (TabletMove move : file.getMoves()) {
            if (!isOver(file, move, holding(tableId, move, ends.get()), sight)) {
                left.add(move);
            }
        }
        if (left.isEmpty()) {
            return true;
        }
        if (left.size() < file.getMoves().size()) {
            save(new MoveFile(tableId, file.getTable(), left));
        }
        return false;
    }

    /** Begins it, if it is time to. */
    private boolean isOver(MoveFile file, TabletMove move, TabletId tablet, Sight sight) throws InterruptedException {
        Optional<Member> target = sight.find(move.getServer());
        if (target.flatMap(there -> sight.report(there, tablet))
                .filter(report -> report.getPhase() == Phase.SERVING)
                .isPresent()) {
            return true;
        }
        try {
            if (!sight.isRegistered(move.getServer())) {
                throw new RejectedException(
                        "server " + move.getServer() + " is dead", "list those that live, and name one");
            }
            if (target.isPresent()) {
                MoveCommands.checkTakes(target.get(), sight);
                attempt(file, move, tablet, target.get(), sight);
            }
            return false;
        } catch (RejectedException never) {
            log.info("table {}: {}", file.getTable(), never.getMessage());
            refusals.add(file.getTableId(), file.getTable(), AvroBytes.bytes(move.getRow()), never);
            return true;
        }
    }

    private void attempt(MoveFile file, TabletMove move, TabletId tablet, Member target, Sight sight)
            throws RejectedException, InterruptedException {
        Key key = new Key(file.getTableId(), move);
        Attempt last = attempts.getOrDefault(key, Attempt.NONE);
        if (!last.end().isDone() || !last.pause().isOver(clock.nanos()) || !commands.mayBegin(tablet)) {
            return;
        }
        Bytes row = AvroBytes.bytes(move.getRow());
        CompletableFuture<Void> end;
        try {
            end = commands.move(tablet, found -> found.range().contains(row), target, sight);
        } catch (RejectedException never) {
            throw never;
        } catch (BigtableException notNow) {
            end = CompletableFuture.failedFuture(notNow);
        }
        attempts.put(key, new Attempt(end, last.pause().longer(FIRST_PAUSE_NANOS, clock.nanos())));
    }
}
