package bt.shell.terminal;

import bt.base.BigtableException;
import bt.base.LongLineException;
import bt.base.RejectedException;
import bt.base.TextLines;
import bt.base.UnavailableException;
import bt.command.ExitCode;
import bt.model.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Lines of a file or a pipe, in UTF-8, run until one of them fails. A line whose quote is open goes on with the next one,
 * with the line end that stands between them.
 */
public final class PipedSession {
    /** Of a line: the command that writes the largest cell, with each byte written {@code \xNN}, fits. */
    private static final int MAX_LINE_BYTES =
            4 * (Limits.ROW_BYTES + Limits.QUALIFIER_BYTES + Limits.VALUE_BYTES) + 4096;

    private final Session session;

    /** Of lines that are run by this. */
    public PipedSession(LineRunner runner) {
        session = new Session(runner);
    }

    /**
     * The exit code of the line that failed, which is the last that ran; finding nothing is no failure. REJECTED where the
     * input ends inside a quote, and where a line has bytes that are no UTF-8: nothing of that command has run.
     */
    public int run(InputStream input) throws BigtableException {
        TextLines lines = new TextLines(input, MAX_LINE_BYTES);
        while (!session.hasEnded()) {
            Optional<String> line = whole(lines);
            if (line.isEmpty()) {
                return ExitCode.DONE;
            }
            int code = session.run(line.get());
            if (code > ExitCode.NOTHING_FOUND) {
                return code;
            }
        }
        return ExitCode.DONE;
    }

    /** A command, with the lines that its quotes reach over; empty at the end of input. */
    private static Optional<String> whole(TextLines lines) throws BigtableException {
        StringBuilder whole = new StringBuilder();
        OpenQuote open = new OpenQuote();
        Optional<String> line = line(lines);
        while (line.isPresent()) {
            open.read(line.get(), lines.number());
            whole.append(line.get());
            if (!open.isOpen()) {
                return Optional.of(whole.toString());
            }
            line = line(lines);
        }
        if (open.isOpen()) {
            throw new RejectedException(
                    String.format(
                            "line %d: the quote %c that begins here is not closed, so its command did not run",
                            open.line(), open.quote()),
                    String.format("close it, or write \\x%02x where the sign itself is meant", (int) open.quote()));
        }
        return Optional.empty();
    }

    /** With its end, which is a blank to a command; empty at the end of input. */
    private static Optional<String> line(TextLines lines) throws BigtableException {
        Optional<String> line;
        try {
            line = lines.next();
        } catch (LongLineException tooLong) {
            throw new RejectedException(
                            "line " + lines.number() + ": " + tooLong.getMessage() + ", so its command did not run",
                            "give large values to bt import")
                    .causedBy(tooLong);
        } catch (IOException broken) {
            throw new UnavailableException("line " + lines.number() + " of the commands cannot be read: "
                            + broken.getMessage() + ": give it and those behind it again")
                    .causedBy(broken);
        }
        if (lines.foreign().isPresent()) {
            throw new RejectedException(
                    "line " + lines.number() + " has bytes that are no UTF-8, so its command did not run",
                    "write them \\xNN, or convert the file");
        }
        return line;
    }
}
