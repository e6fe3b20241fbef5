package bt.tablet;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;

/**
 * A write whose client may not know yet that it was applied, and would send it again: of which row, with which first
 * sequence, whose it is (the client's id, the write's number, the lowest number that the client had no answer for), what it
 * was answered, and when it was applied, in microseconds.
 *
 * <p>One whose lowest number lies above its own is <em>lost</em>: a server had no room for it. It says of its client's writes
 * to the table, up to itself, that what became of them is not known where they are not told, and counts for whatever tablet
 * it travels with; which row and change it was of is not known either.
 */
public record OpenWrite(Bytes row, long sequence, Author author, long result, long micros) {
    /** So long after a write its client may send it again. */
    public static final long KEPT_MICROS = 600_000_000L;

    /** In which a lost write lies. */
    private static final Bytes NO_ROW = Bytes.hex("00");

    private static final long NO_SEQUENCE = 0;

    public OpenWrite {
        checkArgument(!row.isEmpty() && sequence >= 0, "row %s, sequence %d", row, sequence);
    }

    /** See above. */
    public boolean isLost() {
        return author.lowestOpen() > author.number();
    }

    public static OpenWrite lost(long client, long number, long micros) {
        return new OpenWrite(NO_ROW, NO_SEQUENCE, new Author(client, number, number + 1), 0, micros);
    }

    /** All that a server keeps that has no room for it. */
    public OpenWrite lost() {
        return lost(author.client(), author.number(), micros);
    }

    /** The same with a later word of its client, which has answers for all below. */
    public OpenWrite told(long lowestOpen) {
        return new OpenWrite(row, sequence, new Author(author.client(), author.number(), lowestOpen), result, micros);
    }

    /** Whether its client may still ask. */
    public boolean isOpen(long nowMicros) {
        return nowMicros - micros < KEPT_MICROS;
    }

    /** Who wrote. */
    public record Author(long client, long number, long lowestOpen) {}
}
