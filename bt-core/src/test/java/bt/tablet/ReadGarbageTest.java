package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.sstable.CacheSizes;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a read leaves on the heap: its answer, and for finding it a bounded number of small objects, however much it passes. */
class ReadGarbageTest {
    private static final int ROWS = 200;
    private static final int VALUE_BYTES = 1000;

    /** What shows the value in the answer, where it lies; the row's key as it is stored, and the way to a block in the cache. */
    private static final int GET_BYTES = 420;

    /** A hash, and what a clock makes. */
    private static final int ABSENT_BYTES = 100;

    /** The row's key, which memtables are searched for. */
    private static final int ABSENT_FROM_MEMTABLE_BYTES = ABSENT_BYTES + 80;

    /** Of a get from disk: the block that it decompresses, and neither that as it was read nor anything else of its size. */
    private static final int BLOCK_BYTES = LocalityGroup.DEFAULT.blockBytes() + VALUE_BYTES;

    /** Of each cell of a scan: its row, and what shows the value. */
    private static final int SCANNED_BYTES = 600;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ReadSpec[] present = new ReadSpec[ROWS];
    private final ReadSpec[] absent = new ReadSpec[ROWS];
    private TabletFixture fixture;

    @BeforeEach
    void write() throws BigtableException {
        fixture = new TabletFixture(RandomTable.schema(4));
        for (int i = 0; i < ROWS; i++) {
            fixture.apply(RowMutation.of(Bytes.utf8("row" + i))
                    .set(ColumnKey.of("all", "q"), Bytes.wrap(new byte[VALUE_BYTES]))
                    .build());
            present[i] = get("row" + i);
            absent[i] = get("row" + i + "+");
        }
    }

    @Test
    void ofAMemtable() throws BigtableException {
        assertBounded(fixture.tablet, ABSENT_FROM_MEMTABLE_BYTES);
    }

    @Test
    void ofAFileInTheCache() throws BigtableException {
        fixture.flush();
        assertBounded(fixture.tablet, ABSENT_BYTES);
    }

    @Test
    void ofAFileOnDisk() throws BigtableException {
        fixture.flush();
        CacheSizes none = new CacheSizes(0, 0, 0);
        TabletContext cached = fixture.context;
        TabletContext uncached = new TabletContext(
                cached.files(),
                TabletCaches.of(none, none),
                cached.clock(),
                cached.names(),
                cached.config(),
                cached.scripts(),
                cached.isPressed());
        try (Tablet tablet = Tablet.open(fixture.id, fixture.schema, fixture.state, uncached)) {
            assertThat(bytesPerOperation(i -> read(tablet, present[i % ROWS], 1)))
                    .isBetween(BLOCK_BYTES / 2, BLOCK_BYTES + GET_BYTES);
        }
    }

    private void assertBounded(Tablet tablet, int absentBytes) throws BigtableException {
        assertThat(bytesPerOperation(i -> read(tablet, present[i % ROWS], 1))).isLessThan(GET_BYTES);
        assertThat(bytesPerOperation(i -> read(tablet, absent[i % ROWS], 0))).isLessThan(absentBytes);
        ReadSpec all = ReadSpec.of(RowRange.ALL, Filter.ALL);
        assertThat(bytesPerOperation(i -> read(tablet, all, ROWS)) / ROWS).isLessThan(SCANNED_BYTES);
    }

    private interface Operation {
        void run(int number) throws BigtableException;
    }

    /** Once the first have warmed caches and classes up; what a compiler would save is not counted on. */
    private int bytesPerOperation(Operation operation) throws BigtableException {
        int times = 2000;
        for (int i = 0; i < times; i++) {
            operation.run(i);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            operation.run(i);
        }
        return (int) ((threads.getCurrentThreadAllocatedBytes() - before) / times);
    }

    private static void read(Tablet tablet, ReadSpec spec, int cells) throws BigtableException {
        int found = tablet.read(spec).cells().size();
        // An assertion of the usual kind would make more garbage than the read.
        if (found != cells) {
            throw new AssertionError(found + " cells, not " + cells);
        }
    }

    private static ReadSpec get(String row) {
        return ReadSpec.of(RowRange.row(Bytes.utf8(row)), Filter.ALL);
    }
}
