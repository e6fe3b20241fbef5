package bt.command;

/** Words that the command cannot understand: one line that says which and what would be right. Exit code 2. */
public final class UsageException extends Exception {
    public UsageException(String message) {
        super(message);
    }
}
