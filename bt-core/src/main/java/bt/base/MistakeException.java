package bt.base;

/**
 * A value that cannot be, made by the caller, of which the message ends with what to do about it. It becomes {@link
 * RejectedException} where the caller is another process. The paper has nothing of what a call may fail with.
 */
public final class MistakeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private static final String SEPARATOR = ": ";

    private final String fact;

    /** What is wrong, and what to do about it. */
    public MistakeException(String fact, String advice) {
        super(Messages.oneLine(message(fact, advice)));
        this.fact = Messages.oneLine(fact);
    }

    /** One format of all the arguments. */
    @SuppressWarnings("AnnotateFormatMethod") // Which knows of formats in one piece.
    static MistakeException format(String fact, String advice, Object... args) {
        String message = String.format(message(fact, advice), args);
        String formatted = String.format(fact, args);
        return new MistakeException(formatted, message.substring(formatted.length() + SEPARATOR.length()));
    }

    /** The message of a mistake without the advice: for who met it in a file, which is to be mended otherwise. */
    public static String fact(RuntimeException mistake) {
        return mistake instanceof MistakeException known ? known.fact : String.valueOf(mistake.getMessage());
    }

    /** The message of what a caller did wrong, whoever finds it. */
    public static String message(String fact, String advice) {
        if (fact.isBlank() || advice.isBlank()) {
            throw new IllegalStateException("a message without a fact, or without an advice: " + fact + advice);
        }
        return fact + SEPARATOR + advice;
    }

    /** The message of one, or of what is caused by one; of another, which says nothing of what to do, with this advice. */
    public static String advised(Exception mistake, String advice) {
        return mistake instanceof MistakeException || mistake.getCause() instanceof MistakeException
                ? String.valueOf(mistake.getMessage())
                : message(String.valueOf(mistake.getMessage()), advice);
    }
}
