package bt.model;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * At most how many steps the program of a regular expression has: {@code (x{1000}){1000}} is 15 characters and a million
 * of them. It is found in one pass and without compiling; what is no regular expression has some size too.
 */
final class RegexSize {
    /** More than any bound, and so little that the product of two fits a long. */
    private static final long ENOUGH = 1L << 30;

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
                outer.push(sum);
                sum = 2;
                last = 0;
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
                skipEscape();
                add(1);
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
        add(Math.min(ENOUGH, times * (last + 1)));
    }

    /** {@code {n}}, {@code {n,}} or {@code {n,m}}; anything else in braces is text. */
    private void repeatCounted() {
        int end = regex.indexOf('}', at);
        String counts = end < 0 ? "" : regex.substring(at, end);
        if (!counts.matches("[0-9]{1,9}(,[0-9]{0,9})?")) {
            add(1);
            return;
        }
        at = end + 1;
        int comma = counts.indexOf(',');
        long least = Long.parseLong(comma < 0 ? counts : counts.substring(0, comma));
        long most = comma < 0 || comma == counts.length() - 1 ? 0 : Long.parseLong(counts.substring(comma + 1));
        repeat(Math.min(ENOUGH, Math.max(least + 1, most)));
    }

    /** Behind the bracket that ends a class. A class in it, as {@code [:alpha:]}, makes that too early, which only adds. */
    private void skipClass() {
        int from = at;
        if (at < regex.length() && regex.charAt(at) == '^') {
            from = ++at;
        }
        while (at < regex.length()) {
            char c = regex.charAt(at++);
            if (c == '\\') {
                at++;
            } else if (c == ']' && at > from + 1) {
                return;
            }
        }
    }

    /** Behind what a backslash stands before, with the braces of a code point or a class of characters. */
    private void skipEscape() {
        char c = at < regex.length() ? regex.charAt(at++) : '\\';
        if ((c == 'x' || c == 'p' || c == 'P') && at < regex.length() && regex.charAt(at) == '{') {
            int end = regex.indexOf('}', at);
            at = end < 0 ? regex.length() : end + 1;
        }
    }
}
