package bt.main;

import bt.base.Messages;
import bt.command.UsageException;
import java.util.List;

/**
 * Words that had bytes which are no text in the locale. The JVM, and a terminal's reader, put U+FFFD in their places, the same
 * for all: another key would be read, or written, in the place of the one that is meant, and different keys become one.
 */
final class LostBytes {
    private static final String REPLACEMENT = "\uFFFD";

    private LostBytes() {}

    /** Refuses the first one; also that sign itself, which nobody can tell from them. */
    static void check(List<String> words) throws UsageException {
        for (String word : words) {
            if (word.contains(REPLACEMENT)) {
                throw new UsageException(
                        "the word \"" + Messages.name(word.replace(REPLACEMENT, "?"))
                                + "\" has bytes, shown as ?, that are no UTF-8",
                        "write them \\xNN; the sign U+FFFD itself is \\xef\\xbf\\xbd");
            }
        }
    }
}
