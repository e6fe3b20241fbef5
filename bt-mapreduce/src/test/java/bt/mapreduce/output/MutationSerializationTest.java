package bt.mapreduce.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.junit.jupiter.api.Test;

class MutationSerializationTest {
    private static final RowMutation SET = RowMutation.of("a")
            .set(ColumnKey.of("anchor", "b"), 3, Bytes.utf8("text"))
            .build();
    private static final RowMutation DELETE = RowMutation.of("c").deleteRow().build();

    @Test
    void mutationsInARowComeBackAsTheyWere() throws IOException {
        Deserializer<RowMutation> in = reader(written(SET, DELETE));
        assertThat(in.deserialize(null)).isEqualTo(SET);
        assertThat(in.deserialize(SET)).isEqualTo(DELETE);
    }

    @Test
    void hadoopFindsItByItsName() {
        Configuration job = new Configuration(false);
        job.set(CommonConfigurationKeysPublic.IO_SERIALIZATIONS_KEY, MutationSerialization.class.getName());
        assertThat(new SerializationFactory(job).getSerialization(RowMutation.class))
                .isInstanceOf(MutationSerialization.class);
    }

    @Test
    void halfAMutationIsNotRead() throws IOException {
        byte[] written = written(SET);
        byte[] half = Arrays.copyOf(written, written.length / 2);
        assertThatThrownBy(() -> reader(half).deserialize(null)).isInstanceOf(EOFException.class);
    }

    @Test
    void aDamagedLengthIsSaid() throws IOException {
        byte[] written = written(SET);
        written[0] = (byte) 0x80;
        assertThatThrownBy(() -> reader(written).deserialize(null)).isInstanceOf(CorruptionException.class);
    }

    private static byte[] written(RowMutation... mutations) throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        Serializer<RowMutation> out = new MutationSerialization().getSerializer(RowMutation.class);
        out.open(stream);
        for (RowMutation mutation : mutations) {
            out.serialize(mutation);
        }
        out.close();
        return stream.toByteArray();
    }

    private static Deserializer<RowMutation> reader(byte[] written) throws IOException {
        Deserializer<RowMutation> in = new MutationSerialization().getDeserializer(RowMutation.class);
        in.open(new ByteArrayInputStream(written));
        return in;
    }
}
