package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a read leaves on the heap: its answer, and for finding it a bounded number of small objects, however much it passes. */
class ReadGarbageTest {
    private static final int ROWS = 200;
    private static final int VALUE_BYTES = 1000;

    /** The answer is the value, about 200 bytes of row, column, cell and page, and the request as many again. */
    private static final int GET_BYTES = VALUE_BYTES + 2500;

    private static final int ABSENT_BYTES = 1800;

    /** Of each cell of a scan: the value, its row, and what holds them. */
    private static final int SCANNED_BYTES = VALUE_BYTES + 600;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private TabletFixture fixture;

    @BeforeEach
    void write() throws BigtableException {
        fixture = new TabletFixture(RandomTable.schema(4));
        for (int i = 0; i < ROWS; i++) {
            fixture.apply(RowMutation.of(row(i))
                    .set(ColumnKey.of("all", "q"), Bytes.wrap(new byte[VALUE_BYTES]))
                    .build());
        }
    }

    @Test
    void ofAMemtable() throws BigtableException {
        assertBounded();
    }

    @Test
    void ofAFileInTheCache() throws BigtableException {
        fixture.flush();
        assertBounded();
    }

    private void assertBounded() throws BigtableException {
        assertThat(bytesPerOperation(i -> read(RowRange.row(row(i % ROWS)), 1))).isBetween(VALUE_BYTES, GET_BYTES);
        assertThat(bytesPerOperation(i -> read(RowRange.row(Bytes.utf8("s" + i % ROWS)), 0)))
                .isBetween(1, ABSENT_BYTES);
        assertThat(bytesPerOperation(i -> read(RowRange.ALL, ROWS)) / ROWS).isBetween(VALUE_BYTES, SCANNED_BYTES);
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

    private void read(RowRange rows, int cells) throws BigtableException {
        int found = fixture.tablet.read(ReadSpec.of(rows, Filter.ALL)).cells().size();
        // An assertion of the usual kind would make more garbage than the read.
        if (found != cells) {
            throw new AssertionError(found + " cells, not " + cells);
        }
    }

    private static Bytes row(int i) {
        return Bytes.utf8("row" + i);
    }
}
