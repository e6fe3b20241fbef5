package bt.scripting.dsl;

/**
 * Finds one text in another in a time that grows with their lengths and never with the product of them: the JDK's search
 * does, and with two long texts of one repeated letter a single call could take hours.
 */
final class Search {
    /** Up to this length the JDK's search is the faster one, and not much slower at its worst. */
    private static final int SHORT_CHARS = 16;

    private Search() {}

    static int indexOf(Meter meter, String text, String part, int from) {
        if (part.length() <= SHORT_CHARS) {
            int found = text.indexOf(part, from);
            meter.work((found < 0 ? text.length() : found) - Math.min(from, text.length()));
            return found;
        }
        return part.length() > text.length() - from ? -1 : indexOfLong(meter, text, part, from);
    }

    /** Knuth, Morris and Pratt. */
    private static int indexOfLong(Meter meter, String text, String part, int from) {
        int[] borders = borders(meter, part);
        int matched = 0;
        for (int i = from; i < text.length(); i++) {
            while (matched > 0 && text.charAt(i) != part.charAt(matched)) {
                matched = borders[matched - 1];
            }
            if (text.charAt(i) == part.charAt(matched)) {
                matched++;
            }
            if (matched == part.length()) {
                meter.work(i - from);
                return i - matched + 1;
            }
        }
        meter.work(text.length() - from);
        return -1;
    }

    /** For each prefix of the part, how long the longest prefix is that also ends it. */
    private static int[] borders(Meter meter, String part) {
        meter.make((long) part.length() * Integer.BYTES);
        int[] borders = new int[part.length()];
        int matched = 0;
        for (int i = 1; i < part.length(); i++) {
            while (matched > 0 && part.charAt(i) != part.charAt(matched)) {
                matched = borders[matched - 1];
            }
            if (part.charAt(i) == part.charAt(matched)) {
                matched++;
            }
            borders[i] = matched;
        }
        return borders;
    }
}
