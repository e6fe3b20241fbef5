package bt.model;

/** The signs of a regular expression, read as RE2/J does, oddities too. One thread. */
final class RegexSigns {
    private final String regex;
    /** The sign that comes next. */
    private int at;

    RegexSigns(String regex) {
        this.regex = regex;
    }

    boolean hasNext() {
        return at < regex.length();
    }

    /** The next sign, which is behind us then. */
    char next() {
        return regex.charAt(at++);
    }

    /** Index of the sign that comes next. */
    int at() {
        return at;
    }

    void goTo(int index) {
        at = index;
    }

    boolean isNext(String signs) {
        return regex.startsWith(signs, at);
    }

    /** Behind the letters i, m, s, U and the - that a group may begin with, by the index of the first that may be one. */
    int endOfFlags(int from) {
        int end = from;
        while (end < regex.length() && "imsU-".indexOf(regex.charAt(end)) >= 0) {
            end++;
        }
        return end;
    }

    /** Where a quotation ends whose {@code \Q} is behind us: at its {@code \E}, or at the end of all. */
    int endOfQuotation() {
        int end = regex.indexOf("\\E", at);
        return end < 0 ? regex.length() : end;
    }

    /** Behind the bracket that ends a class: one that begins it, is named, or ends a range does not. */
    void skipClass() {
        if (isNext("^")) {
            at++;
        }
        for (int first = at; at < regex.length(); ) {
            int named = isNext("[:") ? regex.indexOf(":]", at + 2) : -1;
            if (named >= 0) {
                at = named + 2;
            } else if (isNext("]") && at > first) {
                at++;
                return;
            } else if (!skipClassCharacter() && isNext("-") && !isNext("-]")) {
                at++;
                boolean unused = skipClassCharacter();
            }
        }
    }

    /** Whether it stands for several, which no range begins with. */
    private boolean skipClassCharacter() {
        if (at == regex.length() || regex.charAt(at++) != '\\') {
            return false;
        }
        boolean severals = at < regex.length() && "dDsSwWpP".indexOf(regex.charAt(at)) >= 0;
        skipEscape();
        return severals;
    }

    /** Behind what a backslash stands before: one sign, the digits of a code point, the name of a class of characters. */
    void skipEscape() {
        char c = at < regex.length() ? regex.charAt(at++) : '\\';
        boolean isClass = c == 'p' || c == 'P';
        if ((c == 'x' || isClass) && isNext("{")) {
            int end = regex.indexOf('}', at);
            at = end < 0 ? regex.length() : end + 1;
        } else if (c == 'x') {
            at = Math.min(regex.length(), at + 2);
        } else if (isClass) {
            at = Math.min(regex.length(), at + 1);
        } else if (isOctal(c)) {
            for (int digits = 1; digits < 3 && at < regex.length() && isOctal(regex.charAt(at)); digits++) {
                at++;
            }
        }
    }

    private static boolean isOctal(char c) {
        return c >= '0' && c <= '7';
    }
}
