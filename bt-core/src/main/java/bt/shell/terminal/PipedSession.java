package bt.shell.terminal;

import bt.base.BigtableException;
import bt.base.UnavailableException;
import bt.command.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;

/** Lines of a file or a pipe, run until one of them fails. A line whose quote is open goes on with the next one. */
public final class PipedSession {
    private final Session session;

    public PipedSession(LineRunner runner) {
        session = new Session(runner);
    }

    /** The exit code of the line that failed, which is the last that ran; finding nothing is no failure. */
    public int run(BufferedReader input) throws BigtableException {
        try {
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
        } catch (IOException broken) {
            throw new UnavailableException("the commands cannot be read: " + broken.getMessage()).causedBy(broken);
        }
    }

    /** With the lines that its quotes reach over; empty at the end of input. */
    private static String whole(BufferedReader input) throws IOException {
        StringBuilder whole = new StringBuilder();
        String line = input.readLine();
        while (line != null) {
            whole.append(line).append('\n');
            if (Word.cut(whole.toString()).stream().noneMatch(Word::isOpen)) {
                break;
            }
            line = input.readLine();
        }
        return whole.toString();
    }
}
