package bt.shell.terminal;

/** The quote that the lines of a command read so far leave open, if any. A comment's quotes are text. One thread. */
final class OpenQuote {
    /** No quote. */
    static final char NONE = 0;

    private char quote = NONE;
    private long line;

    /** Reads a line, with its number. */
    void read(String text, long number) {
        if (quote == NONE && isComment(text)) {
            return;
        }
        for (int i = 0; i < text.length(); i++) {
            char next = after(quote, text.charAt(i));
            if (quote == NONE && next != NONE) {
                line = number;
            }
            quote = next;
        }
    }

    boolean isOpen() {
        return quote != NONE;
    }

    /** Which one it is, {@link #NONE} where none is open. */
    char quote() {
        return quote;
    }

    /** The number of the line in which it begins. */
    long line() {
        return line;
    }

    static boolean isComment(String line) {
        return line.stripLeading().startsWith("#");
    }

    /** Which quote is open behind a character, by which is open before it. */
    static char after(char quote, char c) {
        if (c == quote) {
            return NONE;
        }
        return quote == NONE && (c == '\'' || c == '"') ? c : quote;
    }
}
