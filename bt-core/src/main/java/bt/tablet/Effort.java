package bt.tablet;

import bt.base.Clock;
import bt.base.RejectedException;
import bt.sstable.ReadWork;

/**
 * What all pages may take together that are read to answer one question: whether a row is such that a write is to be applied. A
 * read goes on with its next page when its client asks for it, and behind others; a question goes on by itself, on the same
 * thread, over a row that may have any number of gigabytes. One thread.
 */
public final class Effort {
    /** Looked at, or read from the file store, where little is looked at of each block. */
    static final long MAX_BYTES = RowProbe.MAX_BYTES;

    /** Of the processor: no page is begun later. One alone has as long again for a script. */
    private static final long MAX_NANOS = RegexWork.MOST_NANOS;

    private final Clock clock;
    private final RegexWork regexWork;
    private final long readBefore;
    private final long beganNanos;
    private long lookedAt;

    Effort(Clock clock) {
        this.clock = clock;
        this.regexWork = new RegexWork(clock);
        this.readBefore = ReadWork.ofThread().bytesRead();
        this.beganNanos = clock.cpuNanos();
    }

    /** That of all pages. */
    RegexWork regexWork() {
        return regexWork;
    }

    /**
     * A page has looked at so many bytes, and perhaps another is to follow. REJECTED where that is too much: the next attempt would
     * get no farther.
     */
    void add(long bytes, boolean isLast, ReadSpec spec, Tablet tablet) throws RejectedException {
        lookedAt += bytes;
        if (Math.max(lookedAt, ReadWork.ofThread().bytesRead() - readBefore) > MAX_BYTES) {
            throw tooMuch(MAX_BYTES + " bytes", spec, tablet);
        }
        if (!isLast && clock.cpuNanos() - beganNanos > MAX_NANOS) {
            throw tooMuch(MAX_NANOS / 1_000_000 + " ms of processor time", spec, tablet);
        }
    }

    private static RejectedException tooMuch(String what, ReadSpec spec, Tablet tablet) {
        return new RejectedException(
                "table " + tablet.schema().name() + " row " + spec.walk().next().brief()
                        + ": to decide upon a write takes more than " + what + " of its row",
                "name families or columns in the condition, keep less in a row, or compact the table where most of that is"
                        + " deleted or old");
    }
}
