package bt.base;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.ClassSecurityValidator;
import org.jspecify.annotations.Nullable;

/** Between the records generated from {@code records.avdl} and byte strings. Schemas are compiled in, never parsed. */
public final class AvroBytes {
    private static final String PACKAGE = "bt.record";

    static {
        // Avro makes objects only of classes that somebody trusts. What was trusted before stays so: another library of
        // this process may have asked for its own.
        ClassSecurityValidator.setGlobal(
                ClassSecurityValidator.composite(ClassSecurityValidator.getGlobal(), type -> type.getPackageName()
                        .equals(PACKAGE)));
    }

    private AvroBytes() {}

    /** For whoever copies a record before any was encoded or decoded: from here on Avro makes objects of their classes. */
    public static void trustRecords() {
        // That this class is there is all it takes.
    }

    /** Avro's binary form, without a schema. */
    public static Bytes encode(SpecificRecord record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        try {
            new SpecificDatumWriter<SpecificRecord>(record.getSchema()).write(record, encoder);
            encoder.flush();
        } catch (IOException impossible) {
            throw new AssertionError("memory does not fail", impossible);
        }
        return Bytes.wrap(out.toByteArray());
    }

    /** Reads what {@link #encode} made; the source names it in the complaint. */
    public static <T extends SpecificRecord> T decode(String source, Bytes bytes, Class<T> type)
            throws CorruptionException {
        return decode(source, bytes, type, fields(type));
    }

    /** How many fields a record of this program has: what a format keeps that is to be read by older and newer ones. */
    public static int fields(Class<? extends SpecificRecord> type) {
        return SpecificData.get().getSchema(type).getFields().size();
    }

    /**
     * Reads what a program wrote whose record had {@code writerFields} fields. Fields are only ever added at the end: those
     * that it did not know have their default, those that we do not know are left aside.
     */
    public static <T extends SpecificRecord> T decode(String source, Bytes bytes, Class<T> type, int writerFields)
            throws CorruptionException {
        Schema schema = SpecificData.get().getSchema(type);
        int known = schema.getFields().size();
        // The same object where it can be: Avro remembers what it made of it.
        Schema wrote = writerFields >= known
                ? schema
                : new AvroShape(Map.of(schema.getFullName(), Math.max(writerFields, 0))).of(schema);
        return decode(source, bytes, type, new Writer(wrote, writerFields > known));
    }

    /** Reads what a program wrote whose records had these fields, none that they have not here. */
    public static <T extends SpecificRecord> T decode(String source, Bytes bytes, Class<T> type, AvroShape shape)
            throws CorruptionException {
        Schema schema = SpecificData.get().getSchema(type);
        return decode(source, bytes, type, new Writer(shape.of(schema), false));
    }

    /** The schema of who wrote, and whether more follows than it says. */
    private record Writer(Schema schema, boolean wroteMore) {}

    private static <T extends SpecificRecord> T decode(String source, Bytes bytes, Class<T> type, Writer writer)
            throws CorruptionException {
        Schema schema = SpecificData.get().getSchema(type);
        byte[] array = bytes.toArray();
        BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(array, null);
        try {
            Object record = new SpecificDatumReader<>(writer.schema(), schema, SpecificData.getForClass(type))
                    .read(null, decoder);
            if (!writer.wroteMore() && !decoder.isEnd()) {
                throw new CorruptionException(source + ": bytes after the end of a " + schema.getName());
            }
            return type.cast(record);
        } catch (CorruptionException corrupt) {
            throw corrupt;
        } catch (IOException
                | AvroRuntimeException
                | IndexOutOfBoundsException
                | NegativeArraySizeException
                | UnsupportedOperationException malformed) {
            CorruptionException corrupt = new CorruptionException(
                    source + ": " + array.length + " bytes are no " + schema.getName() + ": " + malformed.getMessage());
            corrupt.initCause(malformed);
            throw corrupt;
        }
    }

    /** For a field of type {@code bytes}. */
    public static ByteBuffer buffer(Bytes bytes) {
        return ByteBuffer.wrap(bytes.toArray());
    }

    public static @Nullable ByteBuffer buffer(Optional<Bytes> bytes) {
        return bytes.map(AvroBytes::buffer).orElse(null);
    }

    public static Bytes bytes(ByteBuffer field) {
        byte[] copy = new byte[field.remaining()];
        field.duplicate().get(copy);
        return Bytes.wrap(copy);
    }

    public static Optional<Bytes> optionalBytes(@Nullable ByteBuffer field) {
        return field == null ? Optional.empty() : Optional.of(bytes(field));
    }
}
