package bt.base;

import java.io.IOException;

/** A line is longer than any that is taken: what is behind it cannot be read either. */
public final class LongLineException extends IOException {
    private static final long serialVersionUID = 1;

    LongLineException(int maxBytes) {
        super("a line of more than " + maxBytes + " bytes");
    }
}
