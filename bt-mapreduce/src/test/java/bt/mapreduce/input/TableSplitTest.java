package bt.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.RowSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TableSplitTest {
    @Test
    void comesBackAsItWas() throws IOException {
        RowSet rows = RowSet.of(RowRange.row(Bytes.utf8("a")), RowRange.from(Bytes.utf8("b")));
        TableSplit read = read(written(new TableSplit(rows, Optional.of("host"), 1L << 40)));
        assertThat(read.rows()).isEqualTo(rows);
        assertThat(read.getLength()).isEqualTo(1L << 40);
        assertThat(read.getLocations()).containsExactly("host");
    }

    @Test
    void ofMoreRowsThanARequestMayHaveComesBackToo() throws IOException {
        RowSet rows = RowSet.rows(IntStream.range(0, 30_000)
                .mapToObj(i -> Bytes.utf8(String.format("%05d", i)))
                .toList());
        assertThat(read(written(new TableSplit(rows, Optional.empty(), 0))).rows())
                .isEqualTo(rows);
    }

    /** Ranges may begin and end with any bytes, though no row has so many. */
    @Test
    void ofARangeWithEndsLongerThanAnyRowComesBackToo() throws IOException {
        byte[] longer = new byte[Limits.ROW_BYTES + 2];
        RowSet rows = RowSet.of(RowRange.of(Bytes.wrap(longer), Bytes.wrap(new byte[3 * Limits.ROW_BYTES])));
        assertThat(read(written(new TableSplit(rows, Optional.empty(), 0))).rows())
                .isEqualTo(rows);
    }

    @Test
    void ofATabletWithoutEndOrHostComesBackToo() throws IOException {
        TableSplit read = read(written(new TableSplit(RowSet.ALL, Optional.empty(), 0)));
        assertThat(read.rows()).isEqualTo(RowSet.ALL);
        assertThat(read.getLocations()).isEmpty();
    }

    @Test
    void damageIsSaidAndNotBelieved() throws IOException {
        byte[] written = written(new TableSplit(RowSet.of(RowRange.prefix(Bytes.utf8("a"))), Optional.of("host"), 7));
        byte[] longer = written.clone();
        // Two GB that are promised are not taken before they have come.
        longer[0] = 0x7f;
        assertThatThrownBy(() -> read(longer)).isInstanceOf(EOFException.class);
        byte[] below = written.clone();
        below[0] = (byte) 0x80;
        assertThatThrownBy(() -> read(below)).isInstanceOf(CorruptionException.class);
        byte[] negative = written.clone();
        negative[negative.length - 1] = (byte) 0x80;
        assertThatThrownBy(() -> read(negative)).isInstanceOf(CorruptionException.class);
        byte[] longRow = written.clone();
        longRow[Integer.BYTES] = 0x7f;
        assertThatThrownBy(() -> read(longRow)).isInstanceOf(CorruptionException.class);
    }

    private static byte[] written(TableSplit split) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        split.write(new DataOutputStream(out));
        return out.toByteArray();
    }

    private static TableSplit read(byte[] written) throws IOException {
        TableSplit split = new TableSplit();
        split.readFields(new DataInputStream(new ByteArrayInputStream(written)));
        return split;
    }
}
