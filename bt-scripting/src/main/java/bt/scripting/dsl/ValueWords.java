package bt.scripting.dsl;

import bt.base.Bytes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Methods that several kinds of value have, or lists and maps alone. */
public final class ValueWords {
    private ValueWords() {}

    public static Object size(Meter meter, @Nullable Object value) {
        if (value instanceof String text) {
            return (long) text.length();
        } else if (value instanceof Bytes bytes) {
            return (long) bytes.length();
        } else if (value instanceof Map<?, ?> map) {
            return (long) map.size();
        }
        return (long) Kinds.list("size", value).size();
    }

    public static boolean isEmpty(Meter meter, @Nullable Object value) {
        return size(meter, value).equals(0L);
    }

    public static boolean contains(Meter meter, @Nullable Object value, @Nullable Object part) {
        if (value instanceof String text) {
            return Search.indexOf(meter, text, Kinds.text("contains", part), 0) >= 0;
        }
        return position(meter, Kinds.list("contains", value), part) >= 0;
    }

    public static Object indexOf(Meter meter, @Nullable Object value, @Nullable Object part) {
        if (value instanceof String text) {
            return (long) Search.indexOf(meter, text, Kinds.text("indexOf", part), 0);
        }
        return position(meter, Kinds.list("indexOf", value), part);
    }

    public static boolean startsWith(Meter meter, @Nullable Object value, @Nullable Object part) {
        if (value instanceof Bytes bytes && part instanceof Bytes prefix) {
            meter.work(prefix.length());
            return bytes.startsWith(prefix);
        }
        String prefix = Kinds.text("startsWith", part);
        meter.work(prefix.length());
        return Kinds.text("startsWith", value).startsWith(prefix);
    }

    /** An element of a list, or the value of a map's key, which is null where there is none. */
    public static @Nullable Object get(Meter meter, @Nullable Object value, @Nullable Object key) {
        if (value instanceof Map<?, ?> map) {
            return map.get(Containers.key(meter, key));
        }
        List<@Nullable Object> list = Kinds.list("get", value);
        return list.get(Kinds.index("get", key, list.size()));
    }

    public static boolean containsKey(Meter meter, @Nullable Object value, @Nullable Object key) {
        return Kinds.map("containsKey", value).containsKey(Containers.key(meter, key));
    }

    /** Sets the value of a map's key, and is that value. */
    public static @Nullable Object put(
            Meter meter, @Nullable Object value, @Nullable Object key, @Nullable Object element) {
        return Containers.put(meter, Kinds.map("put", value), key, element);
    }

    /** The keys of a map as a list, in the order in which they came. */
    public static Object keySet(Meter meter, @Nullable Object value) {
        Map<@Nullable Object, @Nullable Object> map = Kinds.map("keySet", value);
        List<@Nullable Object> keys = Containers.empty(meter, map.size());
        keys.addAll(map.keySet());
        return keys;
    }

    public static boolean add(Meter meter, @Nullable Object value, @Nullable Object element) {
        Containers.append(meter, value, element);
        return true;
    }

    public static @Nullable Object first(Meter meter, @Nullable Object value) {
        return Containers.at(meter, Kinds.list("first", value), 0L);
    }

    public static @Nullable Object last(Meter meter, @Nullable Object value) {
        return Containers.at(meter, Kinds.list("last", value), -1L);
    }

    /** The elements of a list as one text, with another text between them. */
    public static Object join(Meter meter, @Nullable Object value, @Nullable Object between) {
        List<@Nullable Object> list = Kinds.list("join", value);
        String separator = Kinds.text("join", between);
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < list.size(); i++) {
            String text = Arithmetic.printed(meter, list.get(i));
            meter.make(Kinds.textBytes(2L * (text.length() + separator.length())));
            joined.append(i == 0 ? "" : separator).append(text);
        }
        return joined.toString();
    }

    private static long position(Meter meter, List<@Nullable Object> list, @Nullable Object element) {
        for (int i = 0; i < list.size(); i++) {
            Meter.step(meter);
            if (Operators.same(meter, list.get(i), element)) {
                return i;
            }
        }
        return -1;
    }
}
