package bt.mapreduce.input;

import static bt.base.Check.checkArgument;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.client.ClientCodec;
import bt.model.RowRange;
import bt.model.RowSet;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/**
 * The rows of one map task: those of the scan that lie in a tablet, and no others of it. Its length is that of the tablet's files on
 * disk and of what its server holds of it in memory, whole even where the scan takes a part. Of the wrappers for
 * MapReduce of section 3 of the paper.
 */
public final class TableSplit extends InputSplit implements Writable {
    private static final int HOST_BYTES = 255;
    /** Of a split that is read, so many bytes at a time: memory is taken for what is there, not for what is promised. */
    private static final int PIECE_BYTES = 1 << 16;

    private RowSet rows = RowSet.ALL;
    private Optional<String> host = Optional.empty();
    private long bytes;

    /** For Hadoop, which calls {@link #readFields} next. */
    public TableSplit() {}

    TableSplit(RowSet rows, Optional<String> host, long bytes) {
        checkArgument(bytes >= 0, "a split of %d bytes", bytes);
        this.rows = rows;
        this.host = host;
        this.bytes = bytes;
    }

    /** Rows and ranges, however many. */
    public RowSet rows() {
        return rows;
    }

    /** From the first of its rows to the last. */
    RowRange range() {
        List<RowRange> ranges = rows.ranges();
        return ranges.isEmpty()
                ? RowRange.before(Bytes.EMPTY)
                : new RowRange(
                        ranges.get(0).start(), ranges.get(ranges.size() - 1).end());
    }

    @Override
    public long getLength() {
        return bytes;
    }

    @Override
    public String[] getLocations() {
        return host.stream().toArray(String[]::new);
    }

    @Override
    public void write(DataOutput out) throws IOException {
        Output encoded = new Output();
        encoded.bytes(ClientCodec.encode(rows)).text(host.orElse("")).u64(bytes);
        out.writeInt(encoded.size());
        out.write(encoded.array(), 0, encoded.size());
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            throw Input.of("split", Bytes.EMPTY).corrupt("its length is " + length);
        }
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        byte[] piece = new byte[Math.min(length, PIECE_BYTES)];
        while (encoded.size() < length) {
            int some = Math.min(piece.length, length - encoded.size());
            in.readFully(piece, 0, some);
            encoded.write(piece, 0, some);
        }
        decode(Input.of("split", Bytes.wrap(encoded.toByteArray())));
    }

    private void decode(Input in) throws BigtableException {
        RowSet some = ClientCodec.decodeRows("split", in.bytes("rows"));
        String name = in.raw("host", in.length("host length", HOST_BYTES)).toUtf8();
        long length = in.u64("bytes");
        in.end("the split");
        if (length < 0) {
            throw in.corrupt("its length is " + length);
        }
        rows = some;
        host = name.isEmpty() ? Optional.empty() : Optional.of(name);
        bytes = length;
    }

    /** For the log of a job. */
    @Override
    public String toString() {
        RowRange range = range();
        return rows.ranges().size() + " rows or ranges, " + range.start() + " to "
                + range.end().map(Bytes::toString).orElse("the last row")
                + host.map(at -> " at " + at).orElse("") + ", " + bytes + " bytes";
    }
}
