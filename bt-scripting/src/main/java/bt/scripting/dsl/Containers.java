package bt.scripting.dsl;

import bt.base.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Making, indexing and walking lists and maps. */
public final class Containers {
    /** A slot in a list and the number it may point to. */
    private static final int BYTES_PER_ELEMENT = 40;

    private static final int BYTES_PER_ENTRY = 120;

    private Containers() {}

    /** {@code [a, b]} */
    public static Object list(Meter meter, @Nullable Object[] elements) {
        List<@Nullable Object> list = empty(meter, elements.length);
        for (Object element : elements) {
            list.add(Kinds.scalar("a list", element));
        }
        return list;
    }

    /** {@code [a: x, b: y]}, keys and values by turns. */
    public static Object map(Meter meter, @Nullable Object[] keysAndValues) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            put(meter, map, keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    /** {@code first..last} */
    public static Object range(Meter meter, @Nullable Object first, @Nullable Object last) {
        return range(meter, Kinds.whole("..", first), Kinds.whole("..", last));
    }

    /** {@code first..<end} */
    public static Object rangeBefore(Meter meter, @Nullable Object first, @Nullable Object end) {
        long from = Kinds.whole("..<", first);
        long to = Kinds.whole("..<", end);
        return from == to ? empty(meter, 0) : range(meter, from, to > from ? to - 1 : to + 1);
    }

    /** What a {@code for} walks over: a copy, since its body may change the list. */
    public static List<@Nullable Object> each(Meter meter, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            throw new ScriptFailure(
                    "for wants a list, not a map", "walk over its keySet(), here " + map.size() + " keys");
        }
        List<@Nullable Object> list = Kinds.list("for", value);
        return copy(meter, list, list.size());
    }

    /** {@code value[index]} */
    public static @Nullable Object at(Meter meter, @Nullable Object value, @Nullable Object index) {
        if (value instanceof String text) {
            int at = Kinds.index("[]", index, text.length());
            return text.substring(at, at + 1);
        } else if (value instanceof Bytes bytes) {
            return (long) (bytes.at(Kinds.index("[]", index, bytes.length())) & 0xff);
        } else if (value instanceof Map) {
            return ValueWords.get(meter, value, index);
        }
        List<@Nullable Object> list = Kinds.list("[]", value);
        return list.get(Kinds.index("[]", index, list.size()));
    }

    /** {@code value[index] = element}, and {@code map.put(key, element)}, whose value is the element. */
    public static @Nullable Object put(
            Meter meter, @Nullable Object value, @Nullable Object index, @Nullable Object element) {
        Kinds.scalar("[]=", element);
        if (value instanceof List) {
            List<@Nullable Object> list = Kinds.list("[]=", value);
            list.set(Kinds.index("[]=", index, list.size()), element);
        } else {
            meter.make(BYTES_PER_ENTRY);
            Kinds.map("[]=", value).put(key(meter, index), element);
        }
        return element;
    }

    /** {@code list << element}, whose value is the list. */
    public static Object append(Meter meter, @Nullable Object value, @Nullable Object element) {
        List<@Nullable Object> list = Kinds.list("<<", value);
        meter.make(BYTES_PER_ELEMENT);
        list.add(Kinds.scalar("<<", element));
        return list;
    }

    static Object joined(Meter meter, List<?> left, @Nullable Object right) {
        List<?> added = right instanceof List<?> list ? list : null;
        List<@Nullable Object> joined = copy(meter, left, (long) left.size() + (added == null ? 1 : added.size()));
        if (added == null) {
            joined.add(Kinds.scalar("+", right));
        } else {
            joined.addAll(added);
        }
        return joined;
    }

    static List<@Nullable Object> empty(Meter meter, long size) {
        meter.make((1 + size) * BYTES_PER_ELEMENT);
        return new ArrayList<>((int) size);
    }

    /** Numbers are keys by their value alone, so that {@code m[1]} and {@code m[1.0]} are two keys as in Groovy. */
    static @Nullable Object key(Meter meter, @Nullable Object key) {
        if (key instanceof String text) {
            meter.work(text.length());
        } else if (key instanceof Bytes bytes) {
            meter.work(bytes.length());
        }
        return Kinds.scalar("a map's key", key);
    }

    private static List<@Nullable Object> copy(Meter meter, List<?> list, long size) {
        List<@Nullable Object> copy = empty(meter, size);
        copy.addAll(list);
        return copy;
    }

    private static Object range(Meter meter, long first, long last) {
        // The difference of two longs overflows where no list could be that long anyway.
        double size = Math.abs((double) last - first) + 1;
        List<@Nullable Object> range = empty(meter, (long) Math.min(size, Integer.MAX_VALUE));
        int direction = last < first ? -1 : 1;
        for (long i = 0; i < size; i++) {
            range.add(first + i * direction);
        }
        return range;
    }
}
