package bt.scripting.dsl;

import org.jspecify.annotations.Nullable;

/** What stands behind {@code Math.} in a script. */
public final class MathWords {
    private MathWords() {}

    public static Object abs(Meter meter, @Nullable Object value) {
        boolean negative = Kinds.decimal("abs", value) < 0;
        return negative ? Arithmetic.negate(meter, value) : Arithmetic.plus(meter, 0L, value);
    }

    public static @Nullable Object min(Meter meter, @Nullable Object left, @Nullable Object right) {
        return Kinds.decimal("min", left) <= Kinds.decimal("min", right) ? left : right;
    }

    public static @Nullable Object max(Meter meter, @Nullable Object left, @Nullable Object right) {
        return Kinds.decimal("max", left) >= Kinds.decimal("max", right) ? left : right;
    }

    public static Object floor(Meter meter, @Nullable Object value) {
        return Math.floor(Kinds.decimal("floor", value));
    }

    public static Object ceil(Meter meter, @Nullable Object value) {
        return Math.ceil(Kinds.decimal("ceil", value));
    }

    /** The nearest whole number. */
    public static Object round(Meter meter, @Nullable Object value) {
        return Math.round(Kinds.decimal("round", value));
    }

    public static Object sqrt(Meter meter, @Nullable Object value) {
        return Math.sqrt(Kinds.decimal("sqrt", value));
    }
}
