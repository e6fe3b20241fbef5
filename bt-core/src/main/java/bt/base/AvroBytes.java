package bt.base;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SystemLimitException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Decoder;
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

    /** By record type: made when the first of it is encoded or decoded. */
    private static final ClassValue<Form> FORMS = new ClassValue<>() {
        @Override
        protected Form computeValue(Class<?> type) {
            return Form.of(type);
        }
    };

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
            FORMS.get(record.getClass()).writer().write(record, encoder);
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
        return FORMS.get(type).schema().getFields().size();
    }

    /**
     * Reads what a program wrote whose record had {@code writerFields} fields. Fields are only ever added at the end: those
     * that it did not know have their default, those that we do not know are left aside.
     */
    public static <T extends SpecificRecord> T decode(String source, Bytes bytes, Class<T> type, int writerFields)
            throws CorruptionException {
        Schema schema = FORMS.get(type).schema();
        int known = schema.getFields().size();
        // The same object where it can be: how to read that is known.
        Schema wrote = writerFields >= known
                ? schema
                : new AvroShape(Map.of(schema.getFullName(), Math.max(writerFields, 0))).of(schema);
        return decode(source, bytes, type, new Writer(wrote, writerFields > known));
    }

    /** Reads what a program wrote whose records had these fields, none that they have not here. */
    public static <T extends SpecificRecord> T decode(String source, Bytes bytes, Class<T> type, AvroShape shape)
            throws CorruptionException {
        return decode(source, bytes, type, new Writer(shape.of(FORMS.get(type).schema()), false));
    }

    /**
     * How records of one type are written and read. Avro would find it out each time, which takes it longer than the record
     * does. Any thread.
     *
     * @param reader of what has the same schema
     */
    private record Form(
            Schema schema, SpecificData data, DatumWriter<SpecificRecord> writer, DatumReader<Object> reader) {
        static Form of(Class<?> type) {
            SpecificData data = SpecificData.getForClass(type);
            Schema schema = data.getSchema(type);
            try {
                DatumReader<Object> reader = data.getFastReaderBuilder().createDatumReader(schema);
                return new Form(schema, data, new SpecificDatumWriter<>(schema), reader);
            } catch (IOException impossible) {
                throw new AssertionError("a schema resolves to itself", impossible);
            }
        }

        @SuppressWarnings("ReferenceEquality") // Another object may be equal, and is read all the same.
        Object read(Schema writer, Decoder in) throws IOException {
            if (writer != schema) {
                return new SpecificDatumReader<>(writer, schema, data).read(null, in);
            }
            // What all arrays of one record may take together is bounded, as it is in Avro's own readers.
            SystemLimitException.beginCollectionAllocationScope();
            try {
                return reader.read(null, in);
            } finally {
                SystemLimitException.endCollectionAllocationScope();
            }
        }
    }

    /** The schema of who wrote, and whether more follows than it says. */
    private record Writer(Schema schema, boolean wroteMore) {}

    private static <T extends SpecificRecord> T decode(String source, Bytes bytes, Class<T> type, Writer writer)
            throws CorruptionException {
        Form form = FORMS.get(type);
        Schema schema = form.schema();
        byte[] array = bytes.toArray();
        BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(array, null);
        try {
            Object record = form.read(writer.schema(), decoder);
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
