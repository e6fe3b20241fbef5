package bt.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.model.Limits;
import bt.model.RowRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TableSplitTest {
    @Test
    void comesBackAsItWas() throws IOException {
        TableSplit split = new TableSplit(
                RowRange.of(Bytes.utf8("a"), Bytes.wrap(new byte[Limits.ROW_BYTES + 1])),
                Optional.of("host"),
                1L << 40);
        TableSplit read = read(written(split));
        assertThat(read.range()).isEqualTo(split.range());
        assertThat(read.getLength()).isEqualTo(1L << 40);
        assertThat(read.getLocations()).containsExactly("host");
    }

    @Test
    void ofATabletWithoutEndOrHostComesBackToo() throws IOException {
        TableSplit read = read(written(new TableSplit(RowRange.ALL, Optional.empty(), 0)));
        assertThat(read.range()).isEqualTo(RowRange.ALL);
        assertThat(read.getLocations()).isEmpty();
    }

    @Test
    void damageIsSaidAndNotBelieved() throws IOException {
        byte[] written = written(new TableSplit(RowRange.prefix(Bytes.utf8("a")), Optional.of("host"), 7));
        byte[] longer = written.clone();
        longer[0] = 0x7f;
        assertThatThrownBy(() -> read(longer)).isInstanceOf(CorruptionException.class);
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
