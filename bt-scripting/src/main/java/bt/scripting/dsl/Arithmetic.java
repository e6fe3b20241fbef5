package bt.scripting.dsl;

import bt.base.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whole numbers have 64 bits and never wrap round; decimals are IEEE doubles; a plus also joins texts and lists. */
public final class Arithmetic {
    private Arithmetic() {}

    /** A constant. */
    public static Object whole(Meter meter, int number) {
        return (long) number;
    }

    /** A constant of more than 32 bits. */
    public static Object whole(Meter meter, int high, int low) {
        return ((long) high << Integer.SIZE) | Integer.toUnsignedLong(low);
    }

    public static Object plus(Meter meter, @Nullable Object left, @Nullable Object right) {
        if (left instanceof List<?> list) {
            return Containers.joined(meter, list, right);
        } else if (left instanceof String || right instanceof String) {
            return join(meter, printed(meter, left), printed(meter, right));
        } else if (left instanceof Long a && right instanceof Long b) {
            long sum = a + b;
            if (((a ^ sum) & (b ^ sum)) < 0) {
                throw overflow(a, "+", b);
            }
            return sum;
        }
        return Kinds.decimal("+", left) + Kinds.decimal("+", right);
    }

    public static Object minus(Meter meter, @Nullable Object left, @Nullable Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            long difference = a - b;
            if (((a ^ b) & (a ^ difference)) < 0) {
                throw overflow(a, "-", b);
            }
            return difference;
        }
        return Kinds.decimal("-", left) - Kinds.decimal("-", right);
    }

    public static Object times(Meter meter, @Nullable Object left, @Nullable Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            long product = a * b;
            if (Math.multiplyHigh(a, b) != product >> 63) {
                throw overflow(a, "*", b);
            }
            return product;
        }
        return Kinds.decimal("*", left) * Kinds.decimal("*", right);
    }

    /** Always a decimal number, as Groovy's is: 7 / 2 is 3.5. */
    public static Object divide(Meter meter, @Nullable Object left, @Nullable Object right) {
        double divisor = Kinds.decimal("/", right);
        if (divisor == 0) {
            throw new ScriptFailure("division by zero", "divide by another");
        }
        return Kinds.decimal("/", left) / divisor;
    }

    public static Object remainder(Meter meter, @Nullable Object left, @Nullable Object right) {
        if (Kinds.decimal("%", right) == 0) {
            throw new ScriptFailure("division by zero", "divide by another");
        }
        if (left instanceof Long a && right instanceof Long b) {
            return a % b;
        }
        return Kinds.decimal("%", left) % Kinds.decimal("%", right);
    }

    public static Object negate(Meter meter, @Nullable Object value) {
        return value instanceof Double decimal ? (Object) (-decimal) : minus(meter, 0L, value);
    }

    /** A value as a text, for a plus and for {@code ${…}}. */
    static String printed(Meter meter, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        } else if (value instanceof Bytes bytes) {
            // Each byte prints as four characters at the most.
            meter.make(Kinds.textBytes(4L * bytes.length()));
        }
        return String.valueOf(Kinds.scalar("a text", value));
    }

    private static String join(Meter meter, String left, String right) {
        long chars = (long) left.length() + right.length();
        meter.make(Kinds.textBytes(chars));
        return left.concat(right);
    }

    private static ScriptFailure overflow(long left, String operator, long right) {
        return new ScriptFailure(
                left + " " + operator + " " + right + " is not a whole number of 64 bits",
                "use smaller numbers, or decimals");
    }
}
