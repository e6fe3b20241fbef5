package bt.command;

import bt.base.MistakeException;
import java.util.OptionalInt;

/** Words that the command cannot understand: one line that says which and what would be right. Exit code 2. */
public final class UsageException extends Exception {
    private final OptionalInt at;

    /** What is wrong, and what to do about it: what would be right. */
    public UsageException(String fact, String advice) {
        this(MistakeException.message(fact, advice), OptionalInt.empty());
    }

    private UsageException(String message, OptionalInt at) {
        super(message);
        this.at = at;
    }

    /** A value that cannot be: with its own advice, or this one where it has none. */
    public static UsageException of(RuntimeException mistake, String advice) {
        return new UsageException(MistakeException.advised(mistake, advice), OptionalInt.empty());
    }

    /** The same with what it is about in front. */
    public static UsageException of(String subject, RuntimeException mistake, String advice) {
        return of(mistake, advice).about(subject);
    }

    /** The same with this subject in front. */
    public UsageException about(String subject) {
        return new UsageException(subject + ": " + getMessage(), at);
    }

    /** The same, with the character of the word, from 1, at which it is wrong. */
    public UsageException at(int character) {
        return new UsageException(String.valueOf(getMessage()), OptionalInt.of(character));
    }

    /** Which character of the word is wrong, from 1, where that is known. */
    public OptionalInt at() {
        return at;
    }
}
