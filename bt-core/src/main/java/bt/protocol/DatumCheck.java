package bt.protocol;

import bt.base.CorruptionException;
import bt.base.Input;
import org.apache.avro.Schema;

/**
 * Walks an Avro datum by its compiled schema before Avro does. Avro makes room for as many items as an array claims to
 * have, and follows a record that holds itself down to the end of the stack; this refuses both, allocates nothing, and says
 * what Avro is going to.
 */
final class DatumCheck {
    static final int DEPTH = 40;
    static final int ITEMS = 1 << 20;

    // What lies in memory, with what a collector and references of half a word need; a little more where that depends.
    private static final int OBJECT_BYTES = 16;
    private static final int FIELD_BYTES = 8;
    private static final int ARRAY_BYTES = 2 * OBJECT_BYTES + 8 * FIELD_BYTES;
    private static final int TEXT_BYTES = 48;
    private static final int BUFFER_BYTES = 72;

    private final int maxItems;
    private int items;
    private long bytes;

    private DatumCheck(int maxItems) {
        this.maxItems = maxItems;
    }

    /** About how many bytes of memory its records, lists and texts take. CORRUPTION beyond so many items of all arrays. */
    static long check(Schema schema, int maxItems, Input in) throws CorruptionException {
        DatumCheck check = new DatumCheck(maxItems);
        check.walk(schema, schema.getName(), in, 1);
        return check.bytes;
    }

    private void walk(Schema schema, String field, Input in, int depth) throws CorruptionException {
        if (depth > DEPTH) {
            throw in.corrupt(field + " is nested deeper than " + DEPTH);
        }
        switch (schema.getType()) {
            case RECORD -> {
                bytes += OBJECT_BYTES + (long) FIELD_BYTES * schema.getFields().size();
                for (Schema.Field part : schema.getFields()) {
                    walk(part.schema(), part.name(), in, depth + 1);
                }
            }
            case ARRAY -> array(schema.getElementType(), field, in, depth);
            case UNION -> {
                Schema branch =
                        schema.getTypes().get(index(field, schema.getTypes().size(), in));
                bytes += boxedBytes(branch);
                walk(branch, field, in, depth + 1);
            }
            case ENUM -> index(field, schema.getEnumSymbols().size(), in);
            case STRING, BYTES -> {
                int length = (int) size(field, in.remaining(), in);
                bytes += length + (schema.getType() == Schema.Type.STRING ? TEXT_BYTES : BUFFER_BYTES);
                in.skip(field, length);
            }
            case INT, LONG -> in.varint(field);
            case BOOLEAN -> index(field, 2, in, in.u8(field));
            case FLOAT -> in.u32(field);
            case DOUBLE -> in.u64(field);
            case FIXED -> in.raw(field, schema.getFixedSize());
            case NULL -> {}
            case MAP -> throw new AssertionError("no control message holds a map: " + field);
        }
    }

    private void array(Schema element, String field, Input in, int depth) throws CorruptionException {
        bytes += ARRAY_BYTES;
        for (long count = size(field, maxItems, in); count > 0; count = size(field, maxItems, in)) {
            items += (int) count;
            if (items > maxItems) {
                throw in.corrupt(field + ": more than " + maxItems + " items in the message");
            }
            bytes += (FIELD_BYTES + boxedBytes(element)) * count;
            for (long i = 0; i < count; i++) {
                walk(element, field, in, depth + 1);
            }
        }
    }

    /** A number is an object of its own in a list, and where there may be none. */
    private static int boxedBytes(Schema schema) {
        return switch (schema.getType()) {
            case LONG, DOUBLE -> OBJECT_BYTES + Long.BYTES;
            case INT, FLOAT -> OBJECT_BYTES;
            case RECORD, ARRAY, UNION, MAP, ENUM, STRING, BYTES, FIXED, BOOLEAN, NULL -> 0;
        };
    }

    private static int index(String field, int bound, Input in) throws CorruptionException {
        return index(field, bound, in, number(field, in));
    }

    private static int index(String field, int bound, Input in, long value) throws CorruptionException {
        if (value < 0 || value >= bound) {
            throw in.corrupt(field + " is " + value + " of " + bound);
        }
        return (int) value;
    }

    /** Avro's other form of a count, negative with a size behind it, is written by nobody here. */
    private static long size(String field, long max, Input in) throws CorruptionException {
        long value = number(field, in);
        if (value < 0 || value > max) {
            throw in.corrupt(field + " has length " + value + ", not 0 to " + max);
        }
        return value;
    }

    private static long number(String field, Input in) throws CorruptionException {
        long zigzag = in.varint(field);
        return zigzag >>> 1 ^ -(zigzag & 1);
    }
}
