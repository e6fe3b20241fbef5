package bt.shell.transfer;

import bt.base.Messages;

/** Something in a file is no cell; the message says what is wrong and what would be right, without the place. */
public final class MalformedCellException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedCellException(String message) {
        super(Messages.oneLine(message));
    }
}
