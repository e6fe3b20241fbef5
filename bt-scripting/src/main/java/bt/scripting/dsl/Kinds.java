package bt.scripting.dsl;

import bt.base.Bytes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kinds of value that a script works with. Everything it can hold is one of these. */
final class Kinds {
    private Kinds() {}

    static String name(@Nullable Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof Boolean) {
            return "a truth";
        } else if (value instanceof Long) {
            return "a whole number";
        } else if (value instanceof Double) {
            return "a decimal number";
        } else if (value instanceof String) {
            return "a text";
        } else if (value instanceof Bytes) {
            return "bytes";
        } else if (value instanceof List) {
            return "a list";
        } else if (value instanceof Map) {
            return "a map";
        } else {
            return value instanceof CellWords ? "the cell" : "the argument";
        }
    }

    static ScriptFailure wrong(String word, String wanted, @Nullable Object found) {
        return new ScriptFailure(word + " wants " + wanted + ", not " + name(found), "give it that");
    }

    /** Lists and maps hold these alone: so no value contains itself, and comparing two of them ends. */
    static @Nullable Object scalar(String word, @Nullable Object value) {
        if (value == null
                || value instanceof String
                || value instanceof Long
                || value instanceof Double
                || value instanceof Boolean
                || value instanceof Bytes) {
            return value;
        }
        throw wrong(word, "texts, numbers, truths or bytes", value);
    }

    static String text(String word, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw wrong(word, "a text", value);
    }

    static long whole(String word, @Nullable Object value) {
        if (value instanceof Long whole) {
            return whole;
        }
        throw wrong(word, "a whole number", value);
    }

    static double decimal(String word, @Nullable Object value) {
        if (value instanceof Double decimal) {
            return decimal;
        } else if (value instanceof Long whole) {
            return whole;
        }
        throw wrong(word, "a number", value);
    }

    @SuppressWarnings("unchecked") // Every list that a script can hold was made by Containers.
    static List<@Nullable Object> list(String word, @Nullable Object value) {
        if (value instanceof List) {
            return (List<@Nullable Object>) value;
        }
        throw wrong(word, "a list", value);
    }

    @SuppressWarnings("unchecked") // Every map that a script can hold was made by Containers.
    static Map<@Nullable Object, @Nullable Object> map(String word, @Nullable Object value) {
        if (value instanceof Map) {
            return (Map<@Nullable Object, @Nullable Object>) value;
        }
        throw wrong(word, "a map", value);
    }

    /** Where in {@code size} elements an index points; a negative one counts from the end, as in Groovy. */
    static int index(String word, @Nullable Object value, int size) {
        long index = whole(word, value);
        long from = index < 0 ? index + size : index;
        if (from < 0 || from >= size) {
            throw new ScriptFailure(word + ": index " + index + " of " + size, "ask for its size first");
        }
        return (int) from;
    }

    /** What a text of so many characters takes in memory, at the most. */
    static long textBytes(long chars) {
        return 48 + 2 * chars;
    }
}
