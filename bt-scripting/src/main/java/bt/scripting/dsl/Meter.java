package bt.scripting.dsl;

import bt.base.Clock;
import bt.script.ScriptBudget;
import java.util.function.LongSupplier;

/**
 * What a script has spent of its {@link ScriptBudget}, for one page of one read and so for one thread at a time. Every
 * turn of a loop and every word whose cost grows with its arguments reports here, and that is where a script is stopped.
 *
 * <p>Time is that between {@link #begin} and {@link #end}. Two looks at the clock take 45 ns where a short script takes 5
 * to 17, so it is measured for one cell in sixteen and for every cell that keeps the script busy, and it goes on while the
 * thread waits for a processor. It is therefore only a suspicion: a script is stopped when the thread's own processor time
 * is used up as well.
 */
public final class Meter {
    /** What a script may make for one cell, beside four times the size of the cell. */
    static final long BYTES_PER_CELL = 16 << 20;

    /** Work between two looks at the clock: some microseconds, so that a look costs next to nothing. */
    private static final int UNITS_PER_LOOK = 1024;

    private static final int BYTES_PER_UNIT = 16;
    private static final int CELLS_PER_SAMPLE = 16;

    private final ScriptBudget budget;
    private final Clock clock;
    private final LongSupplier processorNanos;
    private final long processorNanosAtOpen;
    private long spentNanos;
    private long startedNanos;
    private long units;
    private long cells;

    /** For how many cells the time of this one stands; 0 while it is not measured. */
    private int weight;

    private long madeForPage;
    private long madeForCell;
    private long cellBound;

    /** {@code processorNanos} is the processor time of the thread that asks. */
    public Meter(ScriptBudget budget, Clock clock, LongSupplier processorNanos) {
        this.budget = budget;
        this.clock = clock;
        this.processorNanos = processorNanos;
        this.processorNanosAtOpen = processorNanos.getAsLong();
    }

    /** The script begins to look at a cell of that size. */
    public void begin(long cellBytes) {
        madeForCell = 0;
        cellBound = BYTES_PER_CELL + 4 * cellBytes;
        units = 0;
        weight = 0;
        if (cells++ % CELLS_PER_SAMPLE == 0) {
            startedNanos = clock.nanos();
            weight = CELLS_PER_SAMPLE;
        }
    }

    /** The script has decided. */
    public void end() {
        if (weight > 0) {
            spentNanos += (clock.nanos() - startedNanos) * weight;
        }
    }

    /** One turn of a loop: the compiler puts this at the head of each body. */
    public static void step(Meter meter) {
        meter.count(1);
    }

    /** A word has looked at so many bytes or characters. */
    void work(long bytes) {
        count(1 + bytes / BYTES_PER_UNIT);
    }

    /** A word is about to make a value of so many bytes. Called before, so that what is refused never exists. */
    void make(long bytes) {
        madeForCell += bytes;
        madeForPage += bytes;
        if (madeForCell > cellBound) {
            throw new ScriptFailure("needs more than " + cellBound + " bytes of memory for one cell", "make less");
        }
        if (madeForPage > budget.allocatedBytesPerPage()) {
            throw new ScriptFailure(
                    "needs more than " + budget.allocatedBytesPerPage() + " bytes of memory for one page",
                    "ask for smaller pages");
        }
        work(bytes);
    }

    private void count(long more) {
        units += more;
        if (units >= UNITS_PER_LOOK) {
            units = 0;
            look();
        }
    }

    private void look() {
        long now = clock.nanos();
        if (weight == 0) {
            startedNanos = now;
        }
        // Who gets here is measured for each cell, and so stands for no other.
        weight = 1;
        long limit = budget.cpuNanosPerPage();
        if (spentNanos + now - startedNanos > limit && processorNanos.getAsLong() - processorNanosAtOpen > limit) {
            throw new ScriptFailure(
                    "needs more than " + limit / 1_000_000 + " ms for one page", "ask for smaller pages, or do less");
        }
    }
}
