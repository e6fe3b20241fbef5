package bt.tabletserver;

import bt.metadata.MetadataRow;
import bt.model.TableSchema;
import bt.tablet.Tablet;
import bt.tabletserver.TabletSet.Holding;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the tablets that a server serves take of its memory, all together and those of each table, with the files that they are going
 * to have besides. Whoever has the lock of {@link TabletMemory} goes through them from time to time; what a write adds to those counts at once,
 * for there may be hundreds of thousands of such writes in a second. Any thread asks, and never waits.
 */
final class ServedBytes {
    /** Of all that one tablet counts for at most that is loaded or split: one that takes more than there is must be served by somebody, or nothing could make it less. */
    private static final int MOST_OF_ONE = 4;

    private final TabletSet tablets;
    private final long mostOfOne;
    private final LongAdder foreseen = new LongAdder();
    private final Map<Long, LongAdder> foreseenOfTables = new ConcurrentHashMap<>();
    private volatile Count last = new Count(0, new Taken("", 0, 0), Map.of());

    ServedBytes(TabletSet tablets, long mostBytes) {
        this.tablets = tablets;
        this.mostOfOne = mostBytes / MOST_OF_ONE;
    }

    /** What was found, all together and by table. */
    private record Count(long tablets, Taken all, Map<Long, Taken> tables) {}

    /** What a table's tablets took, and what had been foreseen when that was counted, of which it has all that is there still. */
    private record Taken(String table, long bytes, long foreseen) {
        Taken and(long more) {
            return new Taken(table, bytes + more, foreseen);
        }

        long now(long foreseenByNow) {
            return bytes + foreseenByNow - foreseen;
        }
    }

    /** What a tablet with this row counts for that is loaded or split, which has so many bytes more. */
    long counted(MetadataRow row, long more) {
        return Math.min(TabletBytes.of(row) + more, mostOfOne);
    }

    /** What an open one with this row counts for, until it is served. */
    long counted(MetadataRow row, Tablet tablet) {
        return Math.min(of(row, tablet), mostOfOne);
    }

    /** All that it takes. */
    static long of(HostedTablet hosted) {
        return of(hosted.row().row(), hosted.tablet());
    }

    /** What grows without an end must count without one. */
    private static long of(MetadataRow row, Tablet tablet) {
        return TabletBytes.of(row) + tablet.propertiesBytes() + TabletBytes.of(tablet.foreseen());
    }

    /** Goes through them. Only who has the lock. */
    void count() {
        // Before anything is looked at: what is foreseen meanwhile counts twice until the next time, rather than never.
        Taken all = new Taken("", 0, foreseen.sum());
        Map<Long, Taken> tables = new HashMap<>();
        long served = 0;
        for (Holding holding : tablets.all()) {
            if (holding.tablet().isPresent()) {
                HostedTablet hosted = holding.tablet().get();
                Taken before = tables.computeIfAbsent(hosted.id().tableId(), id -> nothingYet(hosted));
                long bytes = of(hosted);
                tables.put(hosted.id().tableId(), before.and(bytes));
                all = all.and(bytes);
                served++;
            }
        }
        last = new Count(served, all, tables);
        foreseenOfTables.keySet().retainAll(tables.keySet());
    }

    private Taken nothingYet(HostedTablet hosted) {
        return new Taken(
                hosted.tablet().schema().name(), 0, foreseenOf(hosted.id().tableId()));
    }

    /** A tablet of the table is going to keep so much more. */
    void foresee(long tableId, long bytes) {
        foreseenOfTables.computeIfAbsent(tableId, id -> new LongAdder()).add(bytes);
        foreseen.add(bytes);
    }

    /** How many there were. */
    long tablets() {
        return last.tablets;
    }

    long bytes() {
        return last.all.now(foreseen.sum());
    }

    long bytesOf(long tableId) {
        Taken taken = last.tables.getOrDefault(tableId, new Taken("", 0, 0));
        return taken.now(foreseenOf(tableId));
    }

    private long foreseenOf(long tableId) {
        LongAdder known = foreseenOfTables.get(tableId);
        return known == null ? 0 : known.sum();
    }

    /** The table of users that took most, in words. */
    Optional<String> largest() {
        return last.tables.entrySet().stream()
                .filter(table -> table.getKey() != TableSchema.METADATA_ID)
                .map(Map.Entry::getValue)
                .max(Comparator.comparingLong(Taken::bytes))
                .map(taken -> "table " + taken.table + " with " + taken.bytes + " bytes");
    }
}
