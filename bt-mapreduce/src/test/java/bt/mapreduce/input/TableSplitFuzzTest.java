package bt.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;

/** What Hadoop has of a job's splits in a file: any bytes are a split, end too early, or are refused. */
class TableSplitFuzzTest {
    @FuzzTest
    void anyBytesAsASplit(byte[] bytes) throws IOException {
        TableSplit split;
        try {
            split = read(bytes);
        } catch (EOFException tooShort) {
            return;
        } catch (BigtableException refused) {
            assertThat(refused.kind()).isEqualTo(Kind.CORRUPTION);
            return;
        }
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        split.write(new DataOutputStream(written));
        TableSplit again = read(written.toByteArray());
        assertThat(again.rows()).isEqualTo(split.rows());
        assertThat(again.getLocations()).isEqualTo(split.getLocations());
        assertThat(again.getLength()).isEqualTo(split.getLength());
    }

    private static TableSplit read(byte[] bytes) throws IOException {
        TableSplit split = new TableSplit();
        split.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
        return split;
    }
}
