package bt.doctor;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.AskedWork.Left;
import bt.doctor.AskedWork.Times;
import bt.doctor.AskedWork.Undone;
import bt.doctor.Expansion.Living;
import bt.metadata.MetadataRow;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.record.CompactionFile;
import bt.record.MergeFile;
import bt.record.MoveFile;
import bt.record.Phase;
import bt.record.RowSpan;
import bt.record.SplitFile;
import bt.record.TabletMove;
import bt.record.TabletReport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks at work on tables that somebody has asked for and that goes on whether anybody waits or not. Only what was asked for
 * long ago costs more than its file: a pass over its table's rows, and a question to every server. One thread.
 */
final class AskedReader {
    private final LockService locks;
    private final ServerReader servers;
    private final Walk walk;
    private final Clock clock;
    private final long stuckMillis;

    AskedReader(LockService locks, ServerReader servers, Walk walk, Clock clock, long stuckMillis) {
        this.locks = locks;
        this.servers = servers;
        this.walk = walk;
        this.clock = clock;
        this.stuckMillis = stuckMillis;
    }

    /** What a file asks for, as far as the rows of the table are concerned. */
    private record Wish(long tableId, String table, RowRange rows, Rest rest) {}

    /** Which of it is still to be done, by the table's tablets, in the order of their rows. */
    @FunctionalInterface
    private interface Rest {
        Undone of(List<MetadataRow> tablets) throws BigtableException, InterruptedException;
    }

    void examine(Suspicions suspicions) throws BigtableException, InterruptedException {
        AskedProgress ofWork = new AskedProgress(stuckMillis);
        for (String directory : List.of(Paths.COMPACTIONS, Paths.FLUSHES, Paths.SPLITS, Paths.MERGES, Paths.MOVES)) {
            for (String name : locks.children(directory)) {
                Optional<AskedWork> asked = work(directory, name);
                if (asked.isPresent()) {
                    suspicions.examine(ofWork, asked.get(), () -> work(directory, name));
                }
            }
        }
    }

    /** Empty where there is none, or none that is old: nobody can say of that that it stands still. */
    private Optional<SmallFile> old(String path) throws BigtableException {
        return locks.read(path).filter(file -> clock.micros() - file.modifiedMicros() > stuckMillis * 1_000);
    }

    private Optional<AskedWork> work(String directory, String name) throws BigtableException, InterruptedException {
        String path = directory + "/" + name;
        Optional<SmallFile> file = old(path);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        Wish wish;
        try {
            wish = wish(directory, path, file.get());
        } catch (CorruptionException damaged) {
            // The master forgets it too: nobody works on it.
            return Optional.empty();
        }
        List<MetadataRow> tablets = new ArrayList<>();
        long[] moved = {file.get().modifiedMicros()};
        walk.table(wish.tableId, (Living tablet) -> {
            if (!tablet.row().range().intersect(wish.rows).isEmpty()) {
                tablets.add(tablet.row());
                moved[0] = Math.max(moved[0], tablet.changedMicros());
            }
        });
        Times times = new Times(file.get().modifiedMicros(), moved[0], clock.micros());
        return Optional.of(new AskedWork(path, workOf(directory), wish.table, wish.rows, times, wish.rest.of(tablets)));
    }

    private static String workOf(String directory) {
        return switch (directory) {
            case Paths.COMPACTIONS -> "major compaction";
            case Paths.FLUSHES -> "flush";
            case Paths.SPLITS -> "split";
            case Paths.MERGES -> "merge";
            default -> "move";
        };
    }

    private Wish wish(String directory, String path, SmallFile file) throws CorruptionException {
        switch (directory) {
            case Paths.SPLITS -> {
                SplitFile split = AvroBytes.decode(path, file.content(), SplitFile.class);
                return new Wish(split.getTableId(), split.getTable(), RowRange.ALL, tablets -> unsplit(split, tablets));
            }
            case Paths.MERGES -> {
                MergeFile merge = AvroBytes.decode(path, file.content(), MergeFile.class);
                return new Wish(
                        merge.getTableId(), merge.getTable(), RowRange.ALL, tablets -> unmerged(merge, tablets));
            }
            case Paths.MOVES -> {
                MoveFile move = AvroBytes.decode(path, file.content(), MoveFile.class);
                return new Wish(move.getTableId(), move.getTable(), RowRange.ALL, tablets -> unmoved(move, tablets));
            }
            default -> {
                CompactionFile asked = AvroBytes.decode(path, file.content(), CompactionFile.class);
                long number = file.createdTransaction() + file.version();
                boolean flushes = directory.equals(Paths.FLUSHES);
                return new Wish(
                        asked.getTableId(),
                        asked.getTable(),
                        new RowRange(AvroBytes.bytes(asked.getFrom()), AvroBytes.optionalBytes(asked.getTo())),
                        tablets -> uncompacted(flushes, number, asked.getTableId(), tablets));
            }
        }
    }

    /** Those of which no server says that it is done, and why it says it is not. */
    private Undone uncompacted(boolean flushes, long number, long tableId, List<MetadataRow> tablets)
            throws BigtableException, InterruptedException {
        Set<TabletId> done = new HashSet<>();
        Map<TabletId, String> failures = new HashMap<>();
        List<ServerSight> unused = servers.ask(servers.roll(), (server, status) -> {
            for (TabletReport report : status.getTablets()) {
                if (report.getTableId() == tableId && report.getPhase() == Phase.SERVING) {
                    TabletId id = Claims.id(report);
                    @Nullable String failure = flushes ? report.getFlushFailure() : report.getCompactionFailure();
                    if ((flushes ? report.getFlushed() : report.getCompacted()) == number) {
                        done.add(id);
                    } else if (failure != null) {
                        failures.put(id, failure);
                    }
                }
            }
        });
        Undone undone = Undone.NOTHING;
        for (MetadataRow row : tablets) {
            if (!done.contains(row.id())) {
                Optional<String> failure = Optional.ofNullable(failures.get(row.id()));
                undone = undone.with(new Left(Optional.of(row.id()), row.range(), failure));
            }
        }
        return undone;
    }

    /** Rows behind which no tablet ends; and all tablets that were not come to yet. */
    private static Undone unsplit(SplitFile split, List<MetadataRow> tablets) {
        Set<ByteBuffer> rows = new TreeSet<>(split.getRows());
        tablets.forEach(tablet -> tablet.id().endRow().ifPresent(end -> rows.remove(AvroBytes.buffer(end))));
        Undone undone = Undone.NOTHING;
        for (ByteBuffer row : rows) {
            undone = undone.with(new Left(Optional.empty(), RowRange.row(AvroBytes.bytes(row)), Optional.empty()));
        }
        RowRange ahead =
                AvroBytes.optionalBytes(split.getPassed()).map(RowRange::after).orElse(RowRange.ALL);
        for (MetadataRow tablet : split.getEverywhere() ? tablets : List.<MetadataRow>of()) {
            if (!tablet.range().intersect(ahead).isEmpty()) {
                undone = undone.with(new Left(Optional.of(tablet.id()), tablet.range(), Optional.empty()));
            }
        }
        return undone;
    }

    /** Rows that several tablets have still. */
    private static Undone unmerged(MergeFile merge, List<MetadataRow> tablets) {
        Undone undone = Undone.NOTHING;
        for (RowSpan span : merge.getSpans()) {
            RowRange rows = RowRange.closed(AvroBytes.bytes(span.getFrom()), AvroBytes.bytes(span.getTo()));
            long have = tablets.stream()
                    .filter(tablet -> !tablet.range().intersect(rows).isEmpty())
                    .count();
            if (have > 1) {
                undone = undone.with(new Left(Optional.empty(), rows, Optional.empty()));
            }
        }
        return undone;
    }

    /** Tablets that another server has than the one that is to have them. */
    private static Undone unmoved(MoveFile file, List<MetadataRow> tablets) {
        Undone undone = Undone.NOTHING;
        for (TabletMove move : file.getMoves()) {
            RowRange row = RowRange.row(AvroBytes.bytes(move.getRow()));
            for (MetadataRow tablet : tablets) {
                boolean isThere = tablet.location().getPhase() == Phase.SERVING
                        && tablet.location().getServer().equals(move.getServer());
                if (!isThere && !tablet.range().intersect(row).isEmpty()) {
                    undone = undone.with(new Left(Optional.of(tablet.id()), row, Optional.empty()));
                }
            }
        }
        return undone;
    }
}
