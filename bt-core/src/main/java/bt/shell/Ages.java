package bt.shell;

import bt.base.Messages;
import bt.command.UsageException;
import java.util.Map;
import java.util.TreeMap;

/** Ages of cells in words: {@code 90s}, {@code 15m}, {@code 12h}, {@code 7d}. */
final class Ages {
    private static final long SECOND_MICROS = 1_000_000;
    private static final Map<Character, Long> UNITS = new TreeMap<>(Map.of(
            's', SECOND_MICROS, 'm', 60 * SECOND_MICROS, 'h', 3_600 * SECOND_MICROS, 'd', 86_400 * SECOND_MICROS));

    private static final int MAX_DIGITS = 6;

    private Ages() {}

    /** What {@link #format} makes is read back. */
    static long parseMicros(String text) throws UsageException {
        if (text.matches("[1-9][0-9]{0,17}us")) {
            return Long.parseLong(text.substring(0, text.length() - 2));
        }
        Long unit = text.isEmpty() ? null : UNITS.get(text.charAt(text.length() - 1));
        if (unit == null || !text.matches("[0-9]+.") || text.matches("0+.")) {
            throw new UsageException(
                    "\"" + Messages.name(text) + "\" is no age", "write a number and s, m, h or d, as in 7d");
        }
        if (text.length() > MAX_DIGITS + 1) {
            throw new UsageException(
                    "\"" + Messages.name(text) + "\" is too long an age: at most 999999"
                            + text.charAt(text.length() - 1),
                    "leave it out to keep cells for ever");
        }
        return Long.parseLong(text.substring(0, text.length() - 1)) * unit;
    }

    /** In whole units, of the largest of which there are two at least. */
    static String about(long micros) {
        Map.Entry<Character, Long> largest = UNITS.entrySet().stream()
                .filter(unit -> micros >= 2 * unit.getValue())
                .max(Map.Entry.comparingByValue())
                .orElse(Map.entry('s', SECOND_MICROS));
        return micros / largest.getValue() + String.valueOf(largest.getKey());
    }

    /** In the largest unit that leaves no rest; microseconds when there is none. */
    static String format(long micros) {
        return UNITS.entrySet().stream()
                .filter(unit -> micros % unit.getValue() == 0)
                .max(Map.Entry.comparingByValue())
                .map(unit -> micros / unit.getValue() + String.valueOf(unit.getKey()))
                .orElse(micros + "us");
    }
}
