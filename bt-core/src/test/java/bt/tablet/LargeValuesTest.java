package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a read of large values makes of them. */
class LargeValuesTest {
    private static final int VALUE_BYTES = 4 << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final TabletFixture fixture = new TabletFixture(RandomTable.schema(4));
    private final Random random = new Random(1);

    LargeValuesTest() throws BigtableException {}

    /** The block that was read is what the page has, and what its frame is made of. */
    @Test
    void whatDoesNotCompressIsInMemoryOnce() throws BigtableException {
        Bytes value = random(VALUE_BYTES);
        write("r", value);
        warmUp("r");

        long before = THREADS.getCurrentThreadAllocatedBytes();
        Page page = read("r");
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                .isBetween((long) VALUE_BYTES, VALUE_BYTES * 3L / 2);
        assertThat(valueOf(page)).isEqualTo(value);
    }

    /** The second read of a row looks whether it is small enough for the scan cache, too. */
    private void warmUp(String row) throws BigtableException {
        for (int i = 0; i < 2; i++) {
            assertThat(read(row).cells()).hasSize(1);
        }
    }

    private void write(String row, Bytes value) throws BigtableException {
        put(row, value);
        fixture.flush();
    }

    private void put(String row, Bytes value) throws BigtableException {
        fixture.apply(RowMutation.of(row).set(ColumnKey.of("all", "q"), value).build());
    }

    private Bytes random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private static Bytes valueOf(Page page) {
        assertThat(page.cells()).hasSize(1);
        Cell cell = page.cells().get(0);
        return cell.value();
    }

    private Page read(String row) throws BigtableException {
        return fixture.tablet.read(ReadSpec.of(RowRange.row(Bytes.utf8(row)), Filter.ALL));
    }
}
