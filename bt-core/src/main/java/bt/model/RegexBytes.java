package bt.model;

import bt.base.Bytes;
import bt.base.MalformedTextException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A regular expression as it is written, made into one whose characters are bytes. A letter outside of ASCII is several of
 * them, so it becomes a group where it is repeated; where {@code (?i)} holds, a group of what differs from it by case. Where
 * one byte alone can stand, in a class, it is refused; so is what names characters that are no bytes, wherever it stands.
 */
final class RegexBytes {
    private static final int ASCII = 0x80;
    private static final Pattern FOLDING = Pattern.compile("\\(\\?[a-zA-Z-]*i");
    /** A character by its number; with others RE2/J is left alone. */
    private static final Pattern NUMBER = Pattern.compile("\\\\(?:x\\{([0-9a-fA-F]{1,6})}|([0-7]{1,3}))");

    private final String regex;
    private final RegexSigns signs;
    private final boolean mayFoldCase;
    private final StringBuilder bytes = new StringBuilder();
    /** The parentheses that are open, the innermost first. */
    private final Deque<Open> open = new ArrayDeque<>();

    private OptionalInt stray = OptionalInt.empty();
    private boolean foldsCase;

    /** A parenthesis, and whether case was folded before it. */
    private record Open(int at, boolean foldsCase) {}

    private RegexBytes(String regex) {
        this.regex = regex;
        this.signs = new RegexSigns(regex);
        this.mayFoldCase = FOLDING.matcher(regex).find();
    }

    /** MalformedTextException where a class names a letter outside of ASCII, or anything characters that are no bytes. */
    static RegexBytes of(String regex) {
        RegexBytes read = new RegexBytes(regex);
        while (read.signs.hasNext()) {
            read.step();
        }
        return read;
    }

    /** Each character is a byte. */
    String bytes() {
        return bytes.toString();
    }

    /** Where the first parenthesis stands that closes none. */
    OptionalInt stray() {
        return stray;
    }

    /** Where the innermost parenthesis stands that is not closed. */
    OptionalInt unclosed() {
        return open.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(open.element().at());
    }

    private void step() {
        int from = signs.at();
        switch (signs.next()) {
            case '(' -> open(from);
            case ')' -> {
                if (open.isEmpty()) {
                    stray = stray.isPresent() ? stray : OptionalInt.of(from);
                } else {
                    foldsCase = open.pop().foldsCase();
                }
                bytes.append(')');
            }
            case '|' -> bar();
            case '[' -> {
                signs.skipClass();
                classFrom(from);
            }
            case '\\' -> escapeFrom(from);
            default -> letter(from, isRepeatable(from));
        }
    }

    /**
     * RE2/J takes a letter that two alternatives begin with out of both, also where one of them alone folds its case: {@code
     * (?i:a)x|A} would match {@code a}. Behind something empty it takes nothing out.
     */
    private void bar() {
        boolean isRepeated = signs.hasNext() && "*+?{".indexOf(regex.charAt(signs.at())) >= 0;
        bytes.append(mayFoldCase && !isRepeated ? "|(?:)" : "|");
    }

    private void open(int from) {
        int end = signs.isNext("?") ? signs.endOfFlags(from + 2) : from;
        boolean isFlagged = regex.startsWith(")", end);
        if (isFlagged || (end > from && regex.startsWith(":", end))) {
            if (!isFlagged) {
                open.push(new Open(from, foldsCase));
            }
            boolean isSet = true;
            for (int i = from + 2; i < end; i++) {
                isSet &= regex.charAt(i) != '-';
                foldsCase = regex.charAt(i) == 'i' ? isSet : foldsCase;
            }
            signs.goTo(end + 1);
        } else {
            open.push(new Open(from, foldsCase));
        }
        bytes.append(regex, from, signs.at());
    }

    private void classFrom(int from) {
        RegexSigns inside = new RegexSigns(regex);
        inside.goTo(from);
        while (inside.at() < signs.at()) {
            int at = inside.at();
            char sign = inside.next();
            if (sign == '\\' && inside.hasNext() && regex.charAt(inside.at()) < ASCII) {
                inside.skipEscape();
                checkEscape(at, inside.at());
            } else if (sign >= ASCII) {
                Bytes letter = Bytes.utf8(Character.toString(regex.codePointAt(at)));
                throw malformed(
                        at,
                        String.format(
                                "%s is %d bytes, of which [] takes one: write it beside, as in (?:[a-z]|%s)",
                                letter, letter.length(), letter));
            }
        }
        bytes.append(regex, from, signs.at());
    }

    private void escapeFrom(int from) {
        if (signs.isNext("Q")) {
            quotedFrom(from);
        } else if (signs.hasNext() && regex.charAt(signs.at()) >= ASCII) {
            // A letter like any.
            int letter = signs.at();
            letter(letter, isRepeatable(letter));
        } else {
            signs.skipEscape();
            checkEscape(from, signs.at());
            bytes.append(utf8(regex.substring(from, signs.at())));
        }
    }

    /** What would be letters of ISO 8859-1, or nothing that there is: {@code \pL} matches the byte e9, and no é. */
    private void checkEscape(int from, int to) {
        String escape = regex.substring(from, to);
        if (escape.startsWith("\\p") || escape.startsWith("\\P")) {
            throw malformed(
                    from,
                    escape + " is of characters, and bytes are matched: name these, as in [a-z] or [\\x80-\\xff]");
        }
        Matcher number = NUMBER.matcher(escape);
        if (number.matches()) {
            int character = number.group(1) == null
                    ? Integer.parseInt(number.group(2), 8)
                    : Integer.parseInt(number.group(1), 16);
            if (character > 0xff) {
                throw malformed(
                        from,
                        escape + " is no byte: write the letter itself, or its bytes in UTF-8 one behind the other");
            }
        }
    }

    private MalformedTextException malformed(int at, String wrong) {
        return new MalformedTextException(at, "regular expression " + Bytes.utf8(regex) + ": " + wrong);
    }

    /** Parts of the quotation, with its letters between them. */
    private void quotedFrom(int from) {
        signs.goTo(from + 2);
        int to = signs.endOfQuotation();
        bytes.append("\\Q");
        while (signs.at() < to) {
            int letter = signs.at();
            if (signs.next() < ASCII) {
                bytes.append(regex.charAt(letter));
            } else {
                bytes.append("\\E");
                letter(letter, true);
                bytes.append("\\Q");
            }
        }
        bytes.append("\\E");
        signs.goTo(Math.min(regex.length(), to + 2));
    }

    /** Whether what stands behind the letter may repeat it: a sign that does, or nothing, behind which one may stand. */
    private boolean isRepeatable(int letter) {
        int behind = regex.offsetByCodePoints(letter, 1);
        return (behind < regex.length() && "*+?{".indexOf(regex.charAt(behind)) >= 0)
                || regex.startsWith("(?", behind)
                || regex.startsWith("\\Q", behind);
    }

    private void letter(int at, boolean mayBeRepeated) {
        int letter = regex.codePointAt(at);
        signs.goTo(at + Character.charCount(letter));
        if (letter < ASCII) {
            bytes.append((char) letter);
        } else if (foldsCase) {
            // RE2/J would fold each byte by itself, as the letter of ISO 8859-1 with its number.
            bytes.append(LetterCases.of(letter).stream()
                    .map(one -> utf8(Character.toString(one)))
                    .collect(Collectors.joining("|", "(?-i:", ")")));
        } else {
            String all = utf8(Character.toString(letter));
            bytes.append(mayBeRepeated ? "(?:" + all + ")" : all);
        }
    }

    private static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
