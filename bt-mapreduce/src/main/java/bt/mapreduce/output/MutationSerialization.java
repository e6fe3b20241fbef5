package bt.mapreduce.output;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.client.ClientCodec;
import bt.model.RowMutation;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.Serialization;
import org.apache.hadoop.io.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Mutations on their way from mappers to reducers: a length of four bytes, then the mutation. Of the wrappers for
 * MapReduce of section 3 of the paper.
 */
public final class MutationSerialization implements Serialization<RowMutation> {
    @Override
    public boolean accept(Class<?> type) {
        return type == RowMutation.class;
    }

    @Override
    public Serializer<RowMutation> getSerializer(Class<RowMutation> type) {
        return new Writer();
    }

    @Override
    public Deserializer<RowMutation> getDeserializer(Class<RowMutation> type) {
        return new Reader();
    }

    private static final class Writer implements Serializer<RowMutation> {
        private DataOutputStream out = new DataOutputStream(OutputStream.nullOutputStream());

        @Override
        public void open(OutputStream stream) {
            out = new DataOutputStream(stream);
        }

        @Override
        public void serialize(RowMutation mutation) throws IOException {
            byte[] encoded = ClientCodec.encode(mutation).toArray();
            out.writeInt(encoded.length);
            out.write(encoded);
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    private static final class Reader implements Deserializer<RowMutation> {
        private DataInputStream in = new DataInputStream(InputStream.nullInputStream());

        @Override
        public void open(InputStream stream) {
            in = new DataInputStream(stream);
        }

        @Override
        public RowMutation deserialize(@Nullable RowMutation reused) throws IOException {
            int length = in.readInt();
            if (length < 0) {
                throw new CorruptionException("a mutation between map and reduce: its length is " + length);
            }
            // Grows with what is there: a damaged length must not take the heap.
            byte[] encoded = in.readNBytes(length);
            if (encoded.length < length) {
                throw new EOFException("a mutation of " + length + " bytes ends after " + encoded.length);
            }
            return ClientCodec.decodeMutation("a mutation between map and reduce", Bytes.wrap(encoded));
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
