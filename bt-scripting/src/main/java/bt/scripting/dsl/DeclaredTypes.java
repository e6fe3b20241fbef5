package bt.scripting.dsl;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a variable with a declared type does with the values it is given. */
public final class DeclaredTypes {
    private DeclaredTypes() {}

    public static Object asWhole(Meter meter, @Nullable Object value) {
        return Kinds.whole("this variable", value);
    }

    public static Object asDecimal(Meter meter, @Nullable Object value) {
        return Kinds.decimal("this variable", value);
    }

    public static Object asTruth(Meter meter, @Nullable Object value) {
        if (value instanceof Boolean) {
            return value;
        }
        throw Kinds.wrong("this variable", "a truth", value);
    }

    public static @Nullable Object asText(Meter meter, @Nullable Object value) {
        return value == null ? null : Kinds.text("this variable", value);
    }

    public static @Nullable Object asList(Meter meter, @Nullable Object value) {
        if (value == null || value instanceof List) {
            return value;
        }
        throw Kinds.wrong("this variable", "a list", value);
    }

    public static @Nullable Object asMap(Meter meter, @Nullable Object value) {
        if (value == null || value instanceof Map) {
            return value;
        }
        throw Kinds.wrong("this variable", "a map", value);
    }
}
