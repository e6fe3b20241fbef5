package bt.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/**
 * At most how many steps the program of a regular expression has: {@code (x{1000}){1000}} is 15 characters and a million
 * of them. It is found in one pass and without compiling, by reading its {@link RegexSigns signs}; what is no regular expression
 * has some size too.
 */
final class RegexSize {
    /** More than any bound, and so little that the product of two fits a long. */
    private static final long ENOUGH = 1L << 30;

    /** A number that begins with a 0 is text. */
    private static final Pattern COUNTS = Pattern.compile("N(,N?)?".replace("N", "(0|[1-9][0-9]{0,8})"));

    private final String regex;
    private final RegexSigns signs;
    /** What stands before the groups that are open. */
    private final Deque<Long> outer = new ArrayDeque<>();

    private long sum = 3;
    /** What a repetition would repeat. */
    private long last;

    private RegexSize(String regex) {
        this.regex = regex;
        this.signs = new RegexSigns(regex);
    }

    static long of(String regex) {
        RegexSize size = new RegexSize(regex);
        while (size.signs.hasNext()) {
            size.step(size.signs.next());
        }
        return size.outer.stream().mapToLong(Long::longValue).sum() + size.sum;
    }

    private void step(char c) {
        switch (c) {
            case '(' -> {
                int flagged = endOfFlags();
                if (flagged >= 0) {
                    signs.goTo(flagged);
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
                signs.skipClass();
                add(1);
            }
            case '\\' -> {
                if (signs.isNext("Q")) {
                    quoted();
                } else {
                    signs.skipEscape();
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
        if (!signs.isNext("?")) {
            return -1;
        }
        int end = signs.endOfFlags(signs.at() + 1);
        return regex.startsWith(")", end) ? end + 1 : -1;
    }

    /** {@code {n}}, {@code {n,}} or {@code {n,m}}; anything else in braces is text. */
    private void repeatCounted() {
        int end = regex.indexOf('}', signs.at());
        String counts = end < 0 ? "" : regex.substring(signs.at(), end);
        if (!COUNTS.matcher(counts).matches()) {
            add(1);
            return;
        }
        signs.goTo(end + 1);
        int comma = counts.indexOf(',');
        long least = Long.parseLong(comma < 0 ? counts : counts.substring(0, comma));
        long most = comma < 0 || comma == counts.length() - 1 ? 0 : Long.parseLong(counts.substring(comma + 1));
        repeat(Math.min(ENOUGH, Math.max(least + 1, most)));
    }

    /** {@code \Q…\E}: letters, whatever they are, to the end where none says that they end. */
    private void quoted() {
        signs.goTo(signs.at() + 1);
        int to = signs.endOfQuotation();
        // Of none what stands before is repeated by what stands behind.
        for (int i = signs.at(); i < to; i++) {
            add(1);
        }
        signs.goTo(Math.min(regex.length(), to + 2));
    }
}
