package bt.log;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;

/**
 * A record inside a batch: u32 length and u32 CRC32C of what follows; u8 kind; varints table id, first sequence, schema
 * version; u64 timestamp; varints origin cluster, origin sequence; u64 client; varints number, lowest open, result; row
 * and body, each after its length as a varint.
 */
final class RecordCodec {
    private static final int PREFIX_BYTES = 2 * Integer.BYTES;

    private RecordCodec() {}

    static void encode(LogRecord entry, Output out) {
        long bytes = (long) entry.row().length() + entry.body().length();
        checkArgument(bytes <= LogRecord.MAX_BYTES, "a log record of %d bytes", bytes);
        int start = out.size();
        out.u32(0).u32(0);
        out.u8(entry.kind().number());
        out.varint(entry.tableId());
        out.varint(entry.stamp().firstSequence());
        out.varint(entry.schemaVersion());
        out.u64(entry.stamp().timestamp());
        out.varint(entry.origin().cluster()).varint(entry.origin().sequence());
        out.u64(entry.author().client());
        out.varint(entry.author().number())
                .varint(entry.author().lowestOpen())
                .varint(entry.author().result());
        out.bytes(entry.row()).bytes(entry.body());
        int length = out.size() - start - PREFIX_BYTES;
        out.setU32(start, length);
        out.setU32(start + Integer.BYTES, Crc32c.of(out.array(), start + PREFIX_BYTES, length));
    }

    /** {@code batch} is the array that {@code in} reads from. */
    static LogRecord decode(Input in, byte[] batch) throws CorruptionException {
        int length = in.u32("record length");
        int crc = in.u32("record crc");
        if (length < 0 || length > in.remaining()) {
            throw in.corrupt("record of " + length + " bytes, " + in.remaining() + " are left of its batch");
        }
        int actual = Crc32c.of(batch, in.position(), length);
        if (actual != crc) {
            throw in.corrupt("record crc " + Integer.toHexString(actual) + ", expected " + Integer.toHexString(crc));
        }
        int end = in.position() + length;
        Kind kind = kind(in);
        long tableId = in.varint("table id");
        long firstSequence = in.varint("first sequence");
        if (firstSequence < 0) {
            throw in.corrupt("first sequence is " + Long.toUnsignedString(firstSequence));
        }
        long schemaVersion = in.varint("schema version");
        Stamp stamp = new Stamp(firstSequence, in.u64("timestamp"));
        Origin origin = new Origin(in.varint("origin cluster"), in.varint("origin sequence"));
        Author author =
                new Author(in.u64("client"), in.varint("number"), in.varint("lowest open"), in.varint("result"));
        Bytes row = in.bytes("row");
        Bytes body = in.bytes("body");
        if (in.position() != end) {
            throw in.corrupt("record ends " + (in.position() - end) + " bytes from where its length says");
        }
        return new LogRecord(kind, tableId, schemaVersion, stamp, origin, author, row, body);
    }

    private static Kind kind(Input in) throws CorruptionException {
        int number = in.u8("kind");
        for (Kind kind : Kind.values()) {
            if (kind.number() == number) {
                return kind;
            }
        }
        throw in.corrupt("record kind " + number + " is not known");
    }
}
