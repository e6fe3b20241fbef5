package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.sstable.ReadWork;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a read of large values makes of them, and for how much of it it asks whether there is room. */
class LargeValuesTest {
    private static final int VALUE_BYTES = 4 << 20;
    private static final int MUCH = VALUE_BYTES / 16;

    private static final int MUCH_TO_DROP = 60 << 20;

    private static final Filter NONE_OF_THEM =
            new Filter.Within(Filter.Part.VALUE, ByteRange.only(Bytes.utf8("absent")));

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final TabletFixture fixture = new TabletFixture(RandomTable.schema(4));
    private final Asking asking = new Asking();
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
        assertThat(asking.asked)
                .as("the block, and the frame")
                .isBetween(2L * VALUE_BYTES - (1 << 20), 2L * VALUE_BYTES + MUCH);
    }

    /** A file of a few kilobytes may stand for as many megabytes. */
    @Test
    void whatIsSmallInTheFileIsAskedForAsWhatItIsMadeInto() throws BigtableException {
        write("r", Bytes.wrap(new byte[VALUE_BYTES]));
        assertThat(read("r").cells()).hasSize(1);
        assertThat(ReadWork.ofThread().bytesRead()).isPositive().isLessThan(MUCH);
        assertThat(asking.asked).isBetween(2L * VALUE_BYTES - (1 << 20), 4L * VALUE_BYTES);
    }

    @Test
    void whereThereIsNoRoomNothingIsRead() throws BigtableException {
        write("r", random(VALUE_BYTES));
        assertThat(read("r").cells()).hasSize(1);
        asking.isFull = true;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> read("r")).isInstanceOf(OverloadedException.class);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(VALUE_BYTES / 2);
        assertThat(ReadWork.ofThread().bytesRead()).isLessThan(MUCH);
        asking.isFull = false;
        assertThat(read("r").cells()).hasSize(1);
    }

    @Test
    void smallReadsAskNobody() throws BigtableException {
        for (int i = 0; i < 1_000; i++) {
            put("r" + i, random(1_000));
        }
        fixture.flush();
        asking.isFull = true;
        for (int i = 0; i < 1_000; i++) {
            assertThat(read("r" + i).cells()).hasSize(1);
        }
    }

    /** A page of many cells is as large as one of a large cell. */
    @Test
    void whatAPageComesToIsAskedForByAndBy() throws BigtableException {
        for (int i = 0; i < 4_000; i++) {
            put(String.format("r%04d", i), random(1_000));
        }
        fixture.flush();
        Page page = read(RowRange.ALL, new PageLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, 16 << 20));
        assertThat(page.cells()).hasSize(4_000);
        assertThat(asking.asked).isBetween(4_000_000L, 16_000_000L);
        assertThat(asking.times).isBetween(3, 16);
    }

    /** Blocks, what is read ahead, and values that are blocks of their own. */
    @ParameterizedTest
    @CsvSource({"1000, 1000", "300000, 300000", "300000, 150000"})
    void whatAFilterDropsIsHeldNoLonger(int valueBytes, int randomBytes) throws BigtableException {
        for (int i = 0; i < MUCH_TO_DROP / valueBytes; i++) {
            put(
                    String.format("r%05d", i),
                    Bytes.wrap(Arrays.copyOf(random(randomBytes).toArray(), valueBytes)));
        }
        fixture.flush();
        assertThat(dropAll().cells()).isEmpty();
        assertThat(ReadWork.ofThread().bytesRead()).isGreaterThan(MUCH_TO_DROP / 3);
        assertThat(asking.asked).isLessThan(2 << 20);
    }

    /** Each of them is all that is held, beside the one before. */
    @Test
    void ofLargeValuesThatAFilterDropsTwoAreHeld() throws BigtableException {
        for (int i = 0; i < 8; i++) {
            put("r" + i, random(VALUE_BYTES));
        }
        fixture.flush();
        assertThat(dropAll().cells()).isEmpty();
        assertThat(asking.asked).isBetween((long) VALUE_BYTES, 2L * VALUE_BYTES + MUCH);
    }

    /** Looked up one by one: a condition is tried on each of them. */
    @Test
    void whatAConditionHasLookedAtIsHeldNoLonger() throws BigtableException {
        for (int i = 0; i < 8; i++) {
            put("r" + i, random(VALUE_BYTES));
        }
        fixture.flush();
        assertThat(filtered(new Filter.Condition(NONE_OF_THEM, Filter.ALL, Filter.NONE))
                        .cells())
                .isEmpty();
        assertThat(asking.asked).isBetween((long) VALUE_BYTES, 4L * VALUE_BYTES + MUCH);
    }

    @Test
    void whatAPageShowsOfManyValuesIsCountedOnce() throws BigtableException {
        for (int i = 0; i < 8; i++) {
            put("r" + i, random(VALUE_BYTES));
        }
        fixture.flush();
        Page page = read(RowRange.ALL, new PageLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE));
        assertThat(page.cells()).hasSize(8);
        assertThat(asking.asked).isBetween(15L * VALUE_BYTES, 16L * VALUE_BYTES + 2 * MUCH);
    }

    /** One read after the other, as of a row that a condition is tried on, has the room of one. */
    @Test
    void theNextPageHasTheRoomOfTheOneBefore() throws BigtableException {
        write("a", random(VALUE_BYTES));
        write("b", random(VALUE_BYTES));
        warmUp("a");
        warmUp("b");
        begin();
        assertThat(page(RowRange.row(Bytes.utf8("a")), PageLimits.DEFAULT).cells())
                .hasSize(1);
        long ofOne = asking.asked;
        for (int i = 0; i < 10; i++) {
            assertThat(page(RowRange.row(Bytes.utf8("b")), PageLimits.DEFAULT).cells())
                    .hasSize(1);
        }
        assertThat(asking.asked).isLessThan(ofOne + MUCH);
        ReadWork.ofThread().end();
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
        return read(RowRange.row(Bytes.utf8(row)), PageLimits.DEFAULT);
    }

    private Page read(RowRange rows, PageLimits limits) throws BigtableException {
        begin();
        try {
            return page(rows, limits);
        } finally {
            ReadWork.ofThread().end();
        }
    }

    private Page dropAll() throws BigtableException {
        return filtered(NONE_OF_THEM);
    }

    private Page filtered(Filter filter) throws BigtableException {
        begin();
        try {
            return page(RowRange.ALL, filter, PageLimits.DEFAULT);
        } finally {
            ReadWork.ofThread().end();
        }
    }

    private void begin() {
        asking.asked = 0;
        asking.times = 0;
        ReadWork.ofThread().begin(asking, Long.MAX_VALUE);
    }

    private Page page(RowRange rows, PageLimits limits) throws BigtableException {
        return page(rows, Filter.ALL, limits);
    }

    private Page page(RowRange rows, Filter filter, PageLimits limits) throws BigtableException {
        return fixture.tablet.read(new ReadSpec(RowWalk.over(rows), filter, limits, Optional.empty(), Shown.ALL));
    }

    /** Counts what is asked for. */
    private static final class Asking implements ReadWork.Terms {
        private long asked;
        private int times;
        private boolean isFull;

        @Override
        public void hold(long bytes) throws BigtableException {
            if (isFull) {
                throw new OverloadedException("full", 0);
            }
            asked += bytes;
            times++;
        }
    }
}
