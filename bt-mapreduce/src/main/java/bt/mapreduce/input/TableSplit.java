package bt.mapreduce.input;

import static bt.base.Check.checkArgument;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.model.Limits;
import bt.model.RowRange;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/**
 * The rows of one map task: a tablet's, as far as the scan reaches into it. Its length is that of the tablet's files on
 * disk, whole even where the scan takes a part; what a tablet holds in memory has no length yet.
 */
public final class TableSplit extends InputSplit implements Writable {
    private static final int HOST_BYTES = 255;
    /** A key's successor is a byte longer than a key may be. */
    private static final int ROW_BYTES = Limits.ROW_BYTES + 1;
    /** Each of three byte strings has a length of at most three bytes; then a flag and the split's own length. */
    private static final int ENCODED_BYTES = 2 * ROW_BYTES + HOST_BYTES + 3 * 3 + 1 + Long.BYTES;

    private RowRange range = RowRange.ALL;
    private Optional<String> host = Optional.empty();
    private long bytes;

    /** For Hadoop, which calls {@link #readFields} next. */
    public TableSplit() {}

    TableSplit(RowRange range, Optional<String> host, long bytes) {
        checkArgument(bytes >= 0, "a split of %d bytes", bytes);
        this.range = range;
        this.host = host;
        this.bytes = bytes;
    }

    public RowRange range() {
        return range;
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
        encoded.bytes(range.start()).u8(range.end().isPresent() ? 1 : 0);
        encoded.bytes(range.end().orElse(Bytes.EMPTY)).text(host.orElse("")).u64(bytes);
        out.writeInt(encoded.size());
        out.write(encoded.array(), 0, encoded.size());
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > ENCODED_BYTES) {
            throw Input.of("split", Bytes.EMPTY).corrupt("its length is " + length);
        }
        byte[] encoded = new byte[length];
        in.readFully(encoded);
        decode(Input.of("split", Bytes.wrap(encoded)));
    }

    private void decode(Input in) throws BigtableException {
        Bytes start = in.raw("start row", in.length("start row length", ROW_BYTES));
        int ends = in.u8("whether it ends");
        Bytes end = in.raw("end row", in.length("end row length", ROW_BYTES));
        String name = in.raw("host", in.length("host length", HOST_BYTES)).toUtf8();
        long length = in.u64("bytes");
        in.end("the split");
        if (ends > 1 || length < 0) {
            throw in.corrupt("its end is marked with " + ends + ", its length is " + length);
        }
        range = new RowRange(start, ends == 1 ? Optional.of(end) : Optional.empty());
        host = name.isEmpty() ? Optional.empty() : Optional.of(name);
        bytes = length;
    }

    /** For the log of a job. */
    @Override
    public String toString() {
        return range.start() + " to " + range.end().map(Bytes::toString).orElse("the last row")
                + host.map(at -> " at " + at).orElse("") + ", " + bytes + " bytes";
    }
}
