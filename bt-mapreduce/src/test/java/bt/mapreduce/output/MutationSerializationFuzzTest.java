package bt.mapreduce.output;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.model.RowMutation;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.Serializer;

/** What lies between map and reduce: any bytes are a mutation, end too early, or are refused. */
class MutationSerializationFuzzTest {
    private final MutationSerialization serialization = new MutationSerialization();

    @FuzzTest
    void anyBytesAsAMutation(byte[] bytes) throws IOException {
        RowMutation mutation;
        try {
            mutation = read(bytes);
        } catch (EOFException tooShort) {
            return;
        } catch (BigtableException refused) {
            assertThat(refused.kind()).isIn(Kind.CORRUPTION, Kind.REJECTED);
            return;
        }
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        Serializer<RowMutation> writer = serialization.getSerializer(RowMutation.class);
        writer.open(written);
        writer.serialize(mutation);
        writer.close();
        assertThat(read(written.toByteArray())).isEqualTo(mutation);
    }

    private RowMutation read(byte[] bytes) throws IOException {
        Deserializer<RowMutation> reader = serialization.getDeserializer(RowMutation.class);
        reader.open(new ByteArrayInputStream(bytes));
        try {
            return reader.deserialize(null);
        } finally {
            reader.close();
        }
    }
}
