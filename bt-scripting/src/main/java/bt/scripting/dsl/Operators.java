package bt.scripting.dsl;

import bt.base.Bytes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groovy's truth, equality and order, for the values of a script. */
public final class Operators {
    private Operators() {}

    /** Groovy's truth: null, false, zero and everything empty are false. */
    public static boolean truth(Meter meter, @Nullable Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        } else if (value instanceof String text) {
            return !text.isEmpty();
        } else if (value instanceof Long whole) {
            return whole != 0;
        } else if (value instanceof Double decimal) {
            return decimal != 0;
        } else if (value instanceof Bytes bytes) {
            return !bytes.isEmpty();
        } else if (value instanceof List<?> list) {
            return !list.isEmpty();
        } else if (value instanceof Map<?, ?> map) {
            return !map.isEmpty();
        } else {
            return value != null;
        }
    }

    public static boolean equal(Meter meter, @Nullable Object left, @Nullable Object right) {
        if ((left instanceof Bytes && right instanceof String) || (left instanceof String && right instanceof Bytes)) {
            throw new ScriptFailure("bytes are never equal to a text", "compare with cell.text, or with bytes");
        }
        return same(meter, left, right);
    }

    public static boolean unequal(Meter meter, @Nullable Object left, @Nullable Object right) {
        return !equal(meter, left, right);
    }

    public static boolean less(Meter meter, @Nullable Object left, @Nullable Object right) {
        return order(meter, "<", left, right) < 0;
    }

    public static boolean lessOrEqual(Meter meter, @Nullable Object left, @Nullable Object right) {
        return order(meter, "<=", left, right) <= 0;
    }

    public static boolean greater(Meter meter, @Nullable Object left, @Nullable Object right) {
        return order(meter, ">", left, right) > 0;
    }

    public static boolean greaterOrEqual(Meter meter, @Nullable Object left, @Nullable Object right) {
        return order(meter, ">=", left, right) >= 0;
    }

    public static Object compare(Meter meter, @Nullable Object left, @Nullable Object right) {
        return (long) Integer.signum(order(meter, "<=>", left, right));
    }

    public static boolean in(Meter meter, @Nullable Object element, @Nullable Object whole) {
        return whole instanceof Map
                ? ValueWords.containsKey(meter, whole, element)
                : ValueWords.contains(meter, whole, element);
    }

    public static boolean notIn(Meter meter, @Nullable Object element, @Nullable Object whole) {
        return !in(meter, element, whole);
    }

    static boolean same(Meter meter, @Nullable Object left, @Nullable Object right) {
        if (left instanceof String text && right instanceof String other) {
            boolean equal = text.equals(other);
            meter.work(equal ? text.length() : 0);
            return equal;
        } else if (left instanceof Long whole && right instanceof Long other) {
            return whole.longValue() == other.longValue();
        } else if (left instanceof Number number && right instanceof Number other) {
            return number.doubleValue() == other.doubleValue();
        } else if (left instanceof Bytes bytes && right instanceof Bytes other) {
            meter.work(Math.min(bytes.length(), other.length()));
            return bytes.equals(other);
        } else if (left instanceof List<?> list && right instanceof List<?> other) {
            return sameElements(meter, list, other);
        } else if (left instanceof Map<?, ?> map && right instanceof Map<?, ?> other) {
            return sameEntries(meter, map, other);
        } else {
            return left == right || (left instanceof Boolean && left.equals(right));
        }
    }

    private static boolean sameElements(Meter meter, List<?> left, List<?> right) {
        boolean same = left.size() == right.size();
        for (int i = 0; same && i < left.size(); i++) {
            same = same(meter, left.get(i), right.get(i));
            Meter.step(meter);
        }
        return same;
    }

    private static boolean sameEntries(Meter meter, Map<?, ?> left, Map<?, ?> right) {
        boolean same = left.size() == right.size();
        for (Map.Entry<?, ?> entry : left.entrySet()) {
            same = same
                    && right.containsKey(entry.getKey())
                    && same(meter, entry.getValue(), right.get(entry.getKey()));
            Meter.step(meter);
        }
        return same;
    }

    private static int order(Meter meter, String word, @Nullable Object left, @Nullable Object right) {
        if (left instanceof Long whole && right instanceof Long other) {
            return whole.compareTo(other);
        } else if (left instanceof Number number && right instanceof Number other) {
            return Double.compare(number.doubleValue(), other.doubleValue());
        } else if (left instanceof String text && right instanceof String other) {
            meter.work(Math.min(text.length(), other.length()));
            return text.compareTo(other);
        } else if (left instanceof Bytes bytes && right instanceof Bytes other) {
            meter.work(Math.min(bytes.length(), other.length()));
            return bytes.compareTo(other);
        }
        throw new ScriptFailure(
                word + " wants two numbers, two texts or bytes, not " + Kinds.name(left) + " and " + Kinds.name(right),
                "give it those");
    }
}
