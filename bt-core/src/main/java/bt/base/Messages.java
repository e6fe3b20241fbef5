package bt.base;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text for people: one line of it, and nothing in it that a terminal obeys, whoever it came from. */
public final class Messages {
    private static final Pattern LINE_BREAKS = Pattern.compile("\\s*\\R\\s*");

    /** What has no picture: control characters, those that turn the order of others round, halves of characters. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    /** Longer than any name that is allowed. */
    private static final int NAME_CHARS = 140;

    private Messages() {}

    /** One line: others are put behind the first, and what cannot be printed is there as {@code \xNN}. */
    public static String oneLine(@Nullable String message) {
        String given = String.valueOf(message).strip();
        if (given.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            return given;
        }
        // Stripped once more: not every line break is white space to strip(), and what was one line stays as it is.
        String line = LINE_BREAKS.matcher(given).replaceAll("\n").strip().replace("\n", "; ");
        return UNPRINTABLE.matcher(line).replaceAll(one -> Matcher.quoteReplacement(bytes(one.group())));
    }

    /** A name that somebody gave, allowed or not: as {@link Bytes#toString} prints it, and of a long one the beginning. */
    public static String name(String given) {
        return given.length() > NAME_CHARS ? bytes(given.substring(0, NAME_CHARS)) + "…" : bytes(given);
    }

    /** Of half a character ? is left, for which UTF-8 has no bytes. */
    private static String bytes(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
