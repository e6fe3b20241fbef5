package bt.model;

import bt.base.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * The letters that a regular expression begins with, and whether they are all of it: what does not begin so cannot match.
 * It looks at plain letters and escaped signs alone and gives up at anything else, which is always right.
 */
record RegexPrefix(Bytes bytes, boolean isWhole) {
    private static final String SIGNS = "\\.+*?()|[]{}^$";
    private static final RegexPrefix UNKNOWN = new RegexPrefix(Bytes.EMPTY, false);

    /** Of an expression whose characters are bytes. */
    static RegexPrefix of(String regex) {
        // Whatever stands before a bar, something else may stand in its place.
        if (regex.indexOf('|') >= 0) {
            return UNKNOWN;
        }
        StringBuilder letters = new StringBuilder();
        int at = regex.startsWith("^") ? 1 : 0;
        while (at < regex.length()) {
            boolean escaped = regex.charAt(at) == '\\';
            int letter = escaped ? at + 1 : at;
            if (letter == regex.length() || isSign(regex.charAt(letter)) != escaped) {
                return beginning(letters);
            }
            int next = letter + 1;
            boolean again = regex.startsWith("+", next);
            if (mayBeRepeated(regex, again ? next + (regex.startsWith("+?", next) ? 2 : 1) : next)) {
                return beginning(letters);
            }
            letters.append(regex.charAt(letter));
            if (again) {
                return beginning(letters);
            }
            at = next;
        }
        return new RegexPrefix(bytes(letters), true);
    }

    /** Flags and an empty quotation are nothing: what follows them may repeat what stands before. */
    private static boolean mayBeRepeated(String regex, int next) {
        return (next < regex.length() && "*?{".indexOf(regex.charAt(next)) >= 0)
                || (regex.startsWith("(?", next) && !regex.startsWith("(?:", next))
                || regex.startsWith("\\Q", next);
    }

    private static boolean isSign(char c) {
        return SIGNS.indexOf(c) >= 0;
    }

    private static RegexPrefix beginning(StringBuilder letters) {
        return new RegexPrefix(bytes(letters), false);
    }

    private static Bytes bytes(StringBuilder letters) {
        return Bytes.wrap(letters.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
}
