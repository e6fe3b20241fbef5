package bt.model;

import bt.base.Messages;
import org.jspecify.annotations.Nullable;

/**
 * Filters as text, as in {@code family=anchor & qualifier~'.*cnn.*' & latest(1)}. docs/guide/filters.md has the grammar.
 * Every filter has one text, and {@link #parse} makes of it an equal filter. The paper has no such text.
 */
public final class FilterText {
    private FilterText() {}

    /** {@link Malformed} when it is no filter's text, or a filter larger than {@link Limits} says. */
    public static Filter parse(String text) {
        try {
            return new FilterParser(new FilterLexer(text)).parse();
        } catch (Malformed wrong) {
            throw wrong.in(text);
        }
    }

    /** The text of a filter, in the form of docs/guide/filters.md; {@link #parse} reads it back. */
    public static String print(Filter filter) {
        return FilterPrinter.print(filter);
    }

    /** What is wrong with a text, and where. */
    public static final class Malformed extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private final int at;
        private final String wrong;

        /** At an index of the text. */
        Malformed(int at, String wrong) {
            this(at, wrong, null);
        }

        /** Caused by a value that cannot be, which has its own advice. */
        Malformed(int at, String wrong, @Nullable Throwable cause) {
            super(Messages.oneLine("filter, character " + (at + 1) + ": " + wrong), cause);
            this.at = at;
            this.wrong = wrong;
        }

        /** The same by the characters of the text, of which some are two of its {@code char}s. */
        private Malformed in(String text) {
            return new Malformed(text.codePointCount(0, at), wrong, getCause());
        }

        /** So many characters, code points, stand before the one at which it goes wrong: all where the text ends too early. */
        public int at() {
            return at;
        }
    }
}
