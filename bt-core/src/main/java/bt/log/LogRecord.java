package bt.log;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;

/**
 * One entry of a commit log: what happened to one row, resolved, with the sequences that it was given. It names no
 * tablet, since the row decides that. What the body holds is the tablet's business.
 */
public record LogRecord(
        Kind kind, long tableId, long schemaVersion, Stamp stamp, Origin origin, Author author, Bytes row, Bytes body) {

    /** The bytes of a record beside its row and body are never more than this. */
    public static final int MAX_OVERHEAD_BYTES = 128;

    /** What row and body may have together: a record must fit into a batch, or no reader would take it. */
    public static final int MAX_BYTES = LogBatch.MAX_BYTES - MAX_OVERHEAD_BYTES;

    /** As it lies in a log, for other files that hold records. */
    public void encode(Output out) {
        RecordCodec.encode(this, out);
    }

    /** What {@link #encode} wrote, and nothing else, from this offset on. */
    public static LogRecord decode(String source, Bytes bytes, int offset) throws CorruptionException {
        byte[] array = bytes.toArray();
        Input in = new Input(source, offset, array, offset, array.length);
        LogRecord entry = RecordCodec.decode(in, array);
        in.end("the record");
        return entry;
    }

    /** The next of what {@link #encode} wrote one after the other; {@code bytes} is the array that {@code in} reads from. */
    public static LogRecord decodeNext(Input in, byte[] bytes) throws CorruptionException {
        return RecordCodec.decode(in, bytes);
    }

    /** What a record can be. The numbers are in every log and never change. */
    public enum Kind {
        /** The changes of one row mutation. */
        MUTATION(1),
        /** A mutation appended again, with its old sequences, so that an old segment can go. */
        COPY(2),
        /** A file was taken in. */
        BULK_LOAD(3),
        /** From here on the stream holds the tablet that ends with this row. */
        TABLET_BEGINS(4),
        /** Here it stopped. */
        TABLET_ENDS(5),
        /** The table has a new schema. */
        SCHEMA(6);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    /** The sequence of the first change, and the timestamp that the server assigned. */
    public record Stamp(long firstSequence, long timestamp) {
        public Stamp {
            checkArgument(firstSequence >= 0, "sequence %d", firstSequence);
        }
    }

    /** Where a mutation was first accepted, when another cluster sent it. */
    public record Origin(long cluster, long sequence) {
        public static final Origin HERE = new Origin(0, 0);
    }

    /** Whose write it is, so that a retry after a recovery is known for one, and what it was answered. */
    public record Author(long client, long number, long lowestOpen, long result) {
        public static final Author NONE = new Author(0, 0, 0, 0);
    }
}
