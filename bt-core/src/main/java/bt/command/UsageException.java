package bt.command;

import java.util.OptionalInt;

/** Words that the command cannot understand: one line that says which and what would be right. Exit code 2. */
public final class UsageException extends Exception {
    private final OptionalInt at;

    /** What is wrong, and what would be right. */
    public UsageException(String message) {
        this(message, OptionalInt.empty());
    }

    /** The same, with the character of the word, from 1, at which it is wrong. */
    public UsageException(String message, OptionalInt at) {
        super(message);
        this.at = at;
    }

    /** Which character of the word is wrong, from 1, where that is known. */
    public OptionalInt at() {
        return at;
    }
}
