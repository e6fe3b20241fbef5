package bt.scripting.dsl;

import bt.base.Bytes;
import org.jspecify.annotations.Nullable;

/** What stands behind a dot without brackets: properties of the cell, of the argument and of bytes. */
public final class PropertyWords {
    private PropertyWords() {}

    public static Object row(Meter meter, @Nullable Object value) {
        return cell("row", value).row();
    }

    public static Object rowBytes(Meter meter, @Nullable Object value) {
        return cell("rowBytes", value).rowBytes();
    }

    public static Object family(Meter meter, @Nullable Object value) {
        return cell("family", value).family();
    }

    public static Object qualifier(Meter meter, @Nullable Object value) {
        return cell("qualifier", value).qualifier();
    }

    public static Object qualifierBytes(Meter meter, @Nullable Object value) {
        return cell("qualifierBytes", value).qualifierBytes();
    }

    public static Object timestamp(Meter meter, @Nullable Object value) {
        return cell("timestamp", value).timestamp();
    }

    public static Object value(Meter meter, @Nullable Object value) {
        return cell("value", value).value();
    }

    /** The value's length in bytes. */
    public static Object size(Meter meter, @Nullable Object value) {
        return value instanceof Bytes bytes
                ? (long) bytes.length()
                : (long) cell("size", value).value().length();
    }

    public static Object bytes(Meter meter, @Nullable Object value) {
        return argument("bytes", value).bytes();
    }

    /** UTF-8, decoded. The cell keeps its own text, so that one costs the script nothing. */
    public static Object text(Meter meter, @Nullable Object value) {
        if (value instanceof CellWords cell) {
            return cell.text();
        } else if (value instanceof Bytes bytes) {
            meter.make(Kinds.textBytes(bytes.length()));
            return bytes.toUtf8();
        }
        return argument("text", value).text();
    }

    public static Object hex(Meter meter, @Nullable Object value) {
        if (value instanceof Bytes bytes) {
            meter.make(Kinds.textBytes(2L * bytes.length()));
            return bytes.toHex();
        }
        throw Kinds.wrong(".hex", "bytes", value);
    }

    private static CellWords cell(String property, @Nullable Object value) {
        if (value instanceof CellWords cell) {
            return cell;
        }
        throw Kinds.wrong("." + property, "the cell", value);
    }

    private static ArgumentWords argument(String property, @Nullable Object value) {
        if (value instanceof ArgumentWords argument) {
            return argument;
        }
        throw Kinds.wrong("." + property, "the argument", value);
    }
}
