package bt.scripting.dsl;

import bt.base.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Methods of texts. None takes a regular expression: a backtracking one has no bound. */
public final class TextWords {
    private static final int NUMBER_CHARS = 400;
    private static final String WHITE = " \t\n\r\f";

    private TextWords() {}

    public static Object length(Meter meter, @Nullable Object value) {
        return (long) Kinds.text("length", value).length();
    }

    public static boolean endsWith(Meter meter, @Nullable Object value, @Nullable Object part) {
        String suffix = Kinds.text("endsWith", part);
        meter.work(suffix.length());
        return Kinds.text("endsWith", value).endsWith(suffix);
    }

    public static boolean equalsIgnoreCase(Meter meter, @Nullable Object value, @Nullable Object other) {
        String text = Kinds.text("equalsIgnoreCase", value);
        meter.work(text.length());
        return text.equalsIgnoreCase(Kinds.text("equalsIgnoreCase", other));
    }

    /** The first place of a part at or after a position. */
    public static Object indexOf(Meter meter, @Nullable Object value, @Nullable Object part, @Nullable Object from) {
        String text = Kinds.text("indexOf", value);
        long first = Math.max(0, Math.min(Kinds.whole("indexOf", from), text.length()));
        return (long) Search.indexOf(meter, text, Kinds.text("indexOf", part), (int) first);
    }

    public static Object substring(Meter meter, @Nullable Object value, @Nullable Object from) {
        return substring(meter, value, from, length(meter, value));
    }

    public static Object substring(Meter meter, @Nullable Object value, @Nullable Object from, @Nullable Object to) {
        String text = Kinds.text("substring", value);
        long first = Kinds.whole("substring", from);
        long end = Kinds.whole("substring", to);
        if (first < 0 || first > end || end > text.length()) {
            throw new ScriptFailure(
                    "substring: " + first + " to " + end + " of " + text.length() + " characters",
                    "ask for its length first");
        }
        meter.make(Kinds.textBytes(end - first));
        return text.substring((int) first, (int) end);
    }

    public static Object toLowerCase(Meter meter, @Nullable Object value) {
        return copied(meter, "toLowerCase", value).toLowerCase(Locale.ROOT);
    }

    public static Object toUpperCase(Meter meter, @Nullable Object value) {
        return copied(meter, "toUpperCase", value).toUpperCase(Locale.ROOT);
    }

    public static Object trim(Meter meter, @Nullable Object value) {
        return copied(meter, "trim", value).trim();
    }

    /** How often a text occurs, without overlap. */
    public static Object count(Meter meter, @Nullable Object value, @Nullable Object part) {
        String text = Kinds.text("count", value);
        String counted = some("count", part);
        long times = 0;
        int at = Search.indexOf(meter, text, counted, 0);
        while (at >= 0) {
            times++;
            at = Search.indexOf(meter, text, counted, at + counted.length());
        }
        return times;
    }

    /** Every occurrence of one text replaced by another; neither is a pattern. */
    public static Object replace(Meter meter, @Nullable Object value, @Nullable Object part, @Nullable Object by) {
        String text = Kinds.text("replace", value);
        String replaced = some("replace", part);
        String replacement = Kinds.text("replace", by);
        long times = (long) count(meter, text, replaced);
        meter.make(2 * Kinds.textBytes(text.length() + times * (replacement.length() - replaced.length())));
        StringBuilder result = new StringBuilder();
        int from = 0;
        for (long i = 0; i < times; i++) {
            int at = Search.indexOf(meter, text, replaced, from);
            result.append(text, from, at).append(replacement);
            from = at + replaced.length();
        }
        return result.append(text, from, text.length()).toString();
    }

    /** What lies between white space, as a list of texts. */
    public static Object tokenize(Meter meter, @Nullable Object value) {
        return tokenize(meter, value, WHITE);
    }

    /** What lies between any of the characters, as a list of texts, none of them empty. */
    public static Object tokenize(Meter meter, @Nullable Object value, @Nullable Object separators) {
        String text = Kinds.text("tokenize", value);
        String characters = Kinds.text("tokenize", separators);
        if (characters.length() > WHITE.length() * 4) {
            throw new ScriptFailure(
                    "tokenize wants at most 20 separating characters, not " + characters.length(), "give it fewer");
        }
        List<@Nullable Object> tokens = Containers.empty(meter, 0);
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || characters.indexOf(text.charAt(i)) >= 0) {
                if (i > from) {
                    Containers.append(meter, tokens, substring(meter, text, (long) from, (long) i));
                }
                from = i + 1;
            }
        }
        meter.work(text.length());
        return tokens;
    }

    public static boolean isLong(Meter meter, @Nullable Object value) {
        return whole(Kinds.text("isLong", value)).isPresent();
    }

    public static boolean isDouble(Meter meter, @Nullable Object value) {
        return decimal(Kinds.text("isDouble", value)).isPresent();
    }

    public static Object toLong(Meter meter, @Nullable Object value) {
        if (value instanceof Double decimal) {
            return decimal.longValue();
        } else if (value instanceof Long whole) {
            return whole;
        }
        String text = Kinds.text("toLong", value);
        return whole(text)
                .orElseThrow(() ->
                        new ScriptFailure("toLong: this text is no whole number of 64 bits", "look at the text first"));
    }

    public static Object toDouble(Meter meter, @Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        String text = Kinds.text("toDouble", value);
        return decimal(text)
                .orElseThrow(() -> new ScriptFailure("toDouble: this text is no number", "look at the text first"));
    }

    /** Any value as a text. */
    public static Object toString(Meter meter, @Nullable Object value) {
        return value instanceof Bytes bytes ? PropertyWords.text(meter, bytes) : Arithmetic.printed(meter, value);
    }

    private static Optional<Long> whole(String text) {
        try {
            return text.length() > NUMBER_CHARS ? Optional.empty() : Optional.of(Long.parseLong(text.trim()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Double> decimal(String text) {
        try {
            return text.length() > NUMBER_CHARS ? Optional.empty() : Optional.of(Double.parseDouble(text.trim()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String copied(Meter meter, String word, @Nullable Object value) {
        String text = Kinds.text(word, value);
        meter.make(Kinds.textBytes(text.length()));
        return text;
    }

    private static String some(String word, @Nullable Object part) {
        String text = Kinds.text(word, part);
        if (text.isEmpty()) {
            throw new ScriptFailure(word + " wants a text with a character in it", "give it one");
        }
        return text;
    }
}
