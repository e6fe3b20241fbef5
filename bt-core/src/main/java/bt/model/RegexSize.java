package bt.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/**
 * At most how many steps the program of a regular expression has: {@code (x{1000}){1000}} is 15 characters and a million
 * of them. It is found in one pass and without compiling, by reading signs as RE2/J does, oddities too; what is no regular
 * expression has some size too.
 */
final class RegexSize {
    /** More than any bound, and so little that the product of two fits a long. */
    private static final long ENOUGH = 1L << 30;

    /** A number that begins with a 0 is text. */
    private static final Pattern COUNTS = Pattern.compile("N(,N?)?".replace("N", "(0|[1-9][0-9]{0,8})"));

    private final String regex;
    /** What stands before the groups that are open. */
    private final Deque<Long> outer = new ArrayDeque<>();

    private int at;
    private long sum = 3;
    /** What a repetition would repeat. */
    private long last;

    private RegexSize(String regex) {
        this.regex = regex;
    }

    static long of(String regex) {
        RegexSize size = new RegexSize(regex);
        while (size.at < regex.length()) {
            size.step(regex.charAt(size.at++));
        }
        return size.outer.stream().mapToLong(Long::longValue).sum() + size.sum;
    }

    private void step(char c) {
        switch (c) {
            case '(' -> {
                int flagged = endOfFlags();
                if (flagged >= 0) {
                    at = flagged;
                } else {
                    outer.push(sum);
                    sum = 3;
                    last = 0;
                }
            }
            case ')' -> {
                long group = sum;
                sum = outer.isEmpty() ? 0 : outer.pop();
                add(group);
            }
            case '[' -> {
                skipClass();
                add(1);
            }
            case '\\' -> {
                if (isNext("Q")) {
                    quoted();
                } else {
                    skipEscape();
                    add(1);
                }
            }
            case '*', '+', '?' -> repeat(1);
            case '{' -> repeatCounted();
            case '|' -> add(2);
            default -> add(1);
        }
    }

    private void add(long steps) {
        last = steps;
        sum = Math.min(ENOUGH, sum + steps);
    }

    private void repeat(long times) {
        sum -= Math.min(sum, last);
        add(Math.min(ENOUGH, times * (last + 1) + 1));
    }

    /** Behind {@code (?flags)}, which is nothing: what follows may repeat what stands before; -1 where a group begins. */
    private int endOfFlags() {
        if (!isNext("?")) {
            return -1;
        }
        int end = at + 1;
        while (end < regex.length() && "imsU-".indexOf(regex.charAt(end)) >= 0) {
            end++;
        }
        return regex.startsWith(")", end) ? end + 1 : -1;
    }

    /** {@code {n}}, {@code {n,}} or {@code {n,m}}; anything else in braces is text. */
    private void repeatCounted() {
        int end = regex.indexOf('}', at);
        String counts = end < 0 ? "" : regex.substring(at, end);
        if (!COUNTS.matcher(counts).matches()) {
            add(1);
            return;
        }
        at = end + 1;
        int comma = counts.indexOf(',');
        long least = Long.parseLong(comma < 0 ? counts : counts.substring(0, comma));
        long most = comma < 0 || comma == counts.length() - 1 ? 0 : Long.parseLong(counts.substring(comma + 1));
        repeat(Math.min(ENOUGH, Math.max(least + 1, most)));
    }

    /** {@code \Q…\E}: letters, whatever they are, to the end where none says that they end. */
    private void quoted() {
        int from = at + 1;
        int end = regex.indexOf("\\E", from);
        int to = end < 0 ? regex.length() : end;
        // Of none what stands before is repeated by what stands behind.
        for (int i = from; i < to; i++) {
            add(1);
        }
        at = end < 0 ? to : end + 2;
    }

    /** Behind the bracket that ends a class: one that begins it, is named, or ends a range does not. */
    private void skipClass() {
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
    private void skipEscape() {
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

    private boolean isNext(String signs) {
        return regex.startsWith(signs, at);
    }
}
