package bt.base;

/** What is wrong with a text, and where. The paper has no keys in text. */
public final class MalformedTextException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int at;

    /** At an index of the text. */
    public MalformedTextException(int at, String wrong) {
        super(Messages.oneLine(wrong));
        this.at = at;
    }

    /** Index of the character at which it goes wrong; the text's length where it ends too early. */
    public int at() {
        return at;
    }
}
