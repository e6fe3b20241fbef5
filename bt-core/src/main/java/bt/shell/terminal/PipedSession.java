package bt.shell.terminal;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.command.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;

/** Lines of a file or a pipe, run until one of them fails. A line whose quote is open goes on with the next one. */
public final class PipedSession {
    private final Session session;
    /** How many lines have been read. */
    private int lines;

    public PipedSession(LineRunner runner) {
        session = new Session(runner);
    }

    /**
     * The exit code of the line that failed, which is the last that ran; finding nothing is no failure. REJECTED where the
     * input ends inside a quote: nothing of that command has run.
     */
    public int run(BufferedReader input) throws BigtableException {
        while (!session.hasEnded()) {
            String line = whole(input);
            if (line.isEmpty()) {
                return ExitCode.DONE;
            }
            int code = session.run(line);
            if (code > ExitCode.NOTHING_FOUND) {
                return code;
            }
        }
        return ExitCode.DONE;
    }

    /** A command, with the lines that its quotes reach over; empty at the end of input. */
    private String whole(BufferedReader input) throws BigtableException {
        StringBuilder whole = new StringBuilder();
        OpenQuote open = new OpenQuote();
        Optional<String> line = line(input);
        while (line.isPresent()) {
            open.read(line.get(), ++lines);
            whole.append(line.get()).append('\n');
            if (!open.isOpen()) {
                return whole.toString();
            }
            line = line(input);
        }
        if (open.isOpen()) {
            throw new RejectedException(String.format(
                    "line %d: the quote %c that begins here is not closed, so its command did not run: close it, or"
                            + " write \\x%02x where the sign itself is meant",
                    open.line(), open.quote(), (int) open.quote()));
        }
        return "";
    }

    /** Empty at the end of input. */
    private static Optional<String> line(BufferedReader input) throws BigtableException {
        try {
            return Optional.ofNullable(input.readLine());
        } catch (IOException broken) {
            throw new UnavailableException("the commands cannot be read: " + broken.getMessage()).causedBy(broken);
        }
    }
}
