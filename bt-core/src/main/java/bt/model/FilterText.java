package bt.model;

import bt.base.Messages;

/**
 * Filters as text, as in {@code family=anchor & qualifier~'.*cnn.*' & latest(1)}. docs/filters.md has the grammar. Every
 * filter has one text, and {@link #parse} makes of it an equal filter.
 */
public final class FilterText {
    private FilterText() {}

    /** {@link Malformed} when it is no filter's text, or a filter larger than {@link Limits} says. */
    public static Filter parse(String text) {
        return new FilterParser(new FilterLexer(text)).parse();
    }

    /** The text of a filter, in the form of docs/filters.md; {@link #parse} reads it back. */
    public static String print(Filter filter) {
        return FilterPrinter.print(filter);
    }

    /** What is wrong with a text, and where. */
    public static final class Malformed extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private final int at;

        Malformed(int at, String wrong) {
            super(Messages.oneLine("filter, character " + (at + 1) + ": " + wrong));
            this.at = at;
        }

        /** Index of the character at which it goes wrong; the text's length where it ends too early. */
        public int at() {
            return at;
        }
    }
}
