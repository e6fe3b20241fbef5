package bt.model;

import bt.model.FilterText.Malformed;

/** The words and signs of a filter's text, one after the other. */
final class FilterLexer {
    private static final String SIGNS = "&|()[]{},=~:";

    private final String text;
    private int at;
    private Token token;

    /** A sign, a word as it stands, or a string without its quotes; {@code at} is where it begins. */
    record Token(Kind kind, String text, int at) {
        boolean is(char sign) {
            return kind == Kind.SIGN && text.charAt(0) == sign;
        }

        boolean isWord(String word) {
            return kind == Kind.WORD && text.equals(word);
        }

        /** Where a character of its text stands in the filter's; a quote in a string is written twice. */
        int at(int index) {
            return kind == Kind.STRING
                    ? at
                            + 1
                            + index
                            + (int) text.substring(0, index)
                                    .chars()
                                    .filter(c -> c == '\'')
                                    .count()
                    : at + index;
        }

        @Override
        public String toString() {
            return kind == Kind.END ? "the end" : kind == Kind.STRING ? "'" + text + "'" : text;
        }
    }

    enum Kind {
        SIGN,
        WORD,
        STRING,
        END
    }

    FilterLexer(String text) {
        this.text = text;
        this.token = read();
    }

    Token peek() {
        return token;
    }

    Token next() {
        Token before = token;
        token = read();
        return before;
    }

    /** Takes the sign if it is what comes next. */
    boolean take(char sign) {
        boolean comes = token.is(sign);
        if (comes) {
            next();
        }
        return comes;
    }

    Token expect(char sign, String why) {
        if (!token.is(sign)) {
            throw new Malformed(token.at(), sign + " " + why + ", not " + token);
        }
        return next();
    }

    private Token read() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        int from = at;
        if (at == text.length()) {
            return new Token(Kind.END, "", from);
        }
        char c = text.charAt(at);
        if (SIGNS.indexOf(c) >= 0) {
            at++;
            return new Token(Kind.SIGN, String.valueOf(c), from);
        }
        return c == '\'' ? string() : word();
    }

    /** A quote in a string is written twice. */
    private Token string() {
        int from = at++;
        StringBuilder string = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c != '\'') {
                string.append(c);
            } else if (at < text.length() && text.charAt(at) == '\'') {
                string.append(c);
                at++;
            } else {
                return new Token(Kind.STRING, string.toString(), from);
            }
        }
        throw new Malformed(from, "a string that begins here ends with '");
    }

    private Token word() {
        int from = at;
        while (at < text.length() && isOfWord(text.charAt(at))) {
            at++;
        }
        if (at == from) {
            String c = Character.toString(text.codePointAt(from));
            String not = c.equals("!") ? "; a filter is negated with not before it, as in not value=x" : "";
            throw new Malformed(from, "'" + c + "' stands in quotes, if at all" + not);
        }
        return new Token(Kind.WORD, text.substring(from, at), from);
    }

    static boolean isOfWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "_.-/".indexOf(c) >= 0;
    }
}
