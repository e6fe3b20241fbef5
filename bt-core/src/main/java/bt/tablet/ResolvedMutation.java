package bt.tablet;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.Slice;
import bt.log.LogRecord;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.CellKey.Level;
import bt.model.FamilySchema;
import bt.model.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A row mutation as it is logged and applied: families are ids, every change has its own sequence (first + i), server
 * timestamps are filled in. The timestamp is the one that the server gave, whether a change asked for one or not: it says
 * when the mutation was made. Row, first sequence and timestamp lie in the log record itself; the body is the rest, see
 * docs/formats/resolved-mutation.md.
 */
public record ResolvedMutation(Bytes row, long firstSequence, long timestamp, List<Entry> entries) {
    private static final int FORMAT = 1;
    private static final int HEADER_BYTES = 8;

    /** What kind, family and the lengths of a change take at most, beside its key. */
    private static final int CHANGE_BYTES = 16;

    public ResolvedMutation {
        entries = List.copyOf(entries);
        checkArgument(!entries.isEmpty(), "a mutation changes something");
    }

    /**
     * What is logged of a write that changes nothing: a cell that no read and no file has, so that the write is remembered
     * with its answer as all are.
     */
    public static ResolvedMutation ofNothing(Bytes row, long sequence, long timestamp) {
        CellKey key =
                new CellKey(row, FamilySchema.OF_SERVERS, Optional.of(Bytes.EMPTY), timestamp, sequence, Kind.PUT);
        return new ResolvedMutation(row, sequence, timestamp, List.of(new Entry(key.encode(), Bytes.EMPTY)));
    }

    public long lastSequence() {
        return firstSequence + entries.size() - 1;
    }

    /** What its client is answered: the timestamp, if a cell has it; otherwise 0. */
    public long answer() {
        Slice key = new Slice();
        for (Entry entry : entries) {
            key.moveTo(entry.key());
            if (!CellKey.isDeletion(key) && CellKey.timestampOf(key) == timestamp) {
                return timestamp;
            }
        }
        return 0;
    }

    public Bytes encodeBody() throws CorruptionException {
        Output out = new Output((int) bodyBytes());
        encodeBody(out);
        return Bytes.wrap(out.array(), 0, out.size());
    }

    /** The body, behind what is written already. */
    public void encodeBody(Output out) throws CorruptionException {
        out.expect(bodyBytes()).u8(FORMAT).varint(entries.size());
        Slice key = new Slice();
        for (Entry entry : entries) {
            key.moveTo(entry.key());
            encodeKey(key, out);
            out.bytes(entry.value());
        }
    }

    /** Without what the record has. Not decoded first: each write comes by here, on the one thread of all. */
    private static void encodeKey(Slice key, Output out) throws CorruptionException {
        Kind kind = CellKey.kindOf(key);
        out.u8(kind.number());
        if (kind.level() == Level.ROW) {
            return;
        }
        int rowLength = CellKey.rowPrefixLength(key);
        out.varint(CellKey.familyOf(key, rowLength));
        if (kind.level() == Level.COLUMN) {
            out.bytes(CellKey.qualifierOf(key, rowLength)).u64(CellKey.timestampOf(key));
        }
    }

    /** About; an output that grows copies what it has, and values are most of it. */
    private long bodyBytes() {
        long bytes = HEADER_BYTES;
        for (Entry entry : entries) {
            bytes += entry.key().length() + entry.value().length() + CHANGE_BYTES;
        }
        return Math.min(bytes, LogRecord.MAX_BYTES);
    }

    /** The mutation whose log record had this row, first sequence, timestamp and body. */
    public static ResolvedMutation decodeBody(Bytes row, long firstSequence, long timestamp, Bytes body)
            throws CorruptionException {
        Input in = Input.of("mutation of row " + row.brief() + " with sequence " + firstSequence, body);
        int format = in.u8("format");
        if (format != FORMAT) {
            throw in.corrupt("format " + format + " is not known");
        }
        int count = in.length("number of changes", Limits.CHANGES_PER_MUTATION);
        if (row.isEmpty() || count == 0 || firstSequence < 0 || firstSequence > CellKey.MAX_SEQUENCE - count) {
            throw in.corrupt(count + " changes of a row of " + row.length() + " bytes");
        }
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(decodeEntry(in, row, firstSequence + i));
        }
        in.end("the mutation");
        return new ResolvedMutation(row, firstSequence, timestamp, entries);
    }

    private static Entry decodeEntry(Input in, Bytes row, long sequence) throws CorruptionException {
        int number = in.u8("kind");
        Kind kind = Kind.of(number).orElseThrow(() -> in.corrupt("kind " + number + " is not known"));
        int family = kind.level() == Level.ROW ? CellKey.ROW_LEVEL : in.length("family", Integer.MAX_VALUE);
        if (family == CellKey.ROW_LEVEL && kind.level() != Level.ROW) {
            throw in.corrupt(kind + " without a family");
        }
        Optional<Bytes> qualifier =
                kind.level() == Level.COLUMN ? Optional.of(in.bytes("qualifier")) : Optional.empty();
        long timestamp = kind.level() == Level.COLUMN ? in.u64("timestamp") : CellKey.NO_TIMESTAMP;
        CellKey key = new CellKey(row, family, qualifier, timestamp, sequence, kind);
        return new Entry(key.encode(), in.bytes("value"));
    }
}
