package bt.shell.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * A word of a line, cut as a POSIX shell cuts one without variables: blanks part words, single and double quotes hold
 * everything together, and a quoted part may touch others. A backslash is itself everywhere, for it begins the bytes of a
 * key, {@code \xNN}; so a quote inside quotes is {@code \x27} or {@code \x22}.
 *
 * @param text without its quotes
 * @param start where it begins in the line
 * @param end where the line goes on behind it
 * @param isOpen whether the line ends inside a quote
 */
record Word(String text, int start, int end, boolean isOpen) {
    static List<Word> cut(String line) {
        List<Word> words = new ArrayList<>();
        for (int at = blanksFrom(line, 0); at < line.length(); at = blanksFrom(line, at)) {
            Word word = at(line, at);
            words.add(word);
            at = word.end();
        }
        return words;
    }

    private static int blanksFrom(String line, int from) {
        int at = from;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at;
    }

    private static Word at(String line, int start) {
        StringBuilder text = new StringBuilder();
        char quote = OpenQuote.NONE;
        int at = start;
        for (; at < line.length(); at++) {
            char c = line.charAt(at);
            if (quote == OpenQuote.NONE && Character.isWhitespace(c)) {
                break;
            }
            char next = OpenQuote.after(quote, c);
            if (next == quote) {
                text.append(c);
            }
            quote = next;
        }
        return new Word(text.toString(), start, at, quote != OpenQuote.NONE);
    }
}
