package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.Messages;
import java.util.regex.Pattern;

/**
 * What tables, families and locality groups may be called. Names never become paths: ids do. Section 2 of the paper has
 * names of families printable.
 */
public final class Names {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_][-_.A-Za-z0-9]{0,127}");

    private Names() {}

    /**
     * Whether it is 1 to 128 letters, digits, {@code -}, {@code _} and {@code .}, the first neither {@code -} nor
     * {@code .}.
     */
    public static boolean isAllowed(String name) {
        return ALLOWED.matcher(name).matches();
    }

    static void check(String what, String name) {
        checkGiven(
                isAllowed(name),
                "%s name \"%s\"",
                "letters, digits, - _ and . are allowed, 1 to 128 of them, the first no - or .",
                what,
                Messages.name(name));
    }
}
