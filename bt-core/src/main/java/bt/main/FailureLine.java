package bt.main;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Messages;
import bt.base.MistakeException;
import bt.command.ExitCode;
import bt.command.UsageException;
import bt.shell.Json;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The one line that is said of a command that failed.
 *
 * @param kind that of the error, REJECTED of words that cannot be understood, INTERNAL of a bug
 * @param message what was wrong and what to do
 * @param outcome what became of the write that failed; empty of what writes nothing, and of words of which nothing was sent
 * @param at the character of a word that is wrong, from 1, where that is known
 * @param code the exit code
 */
record FailureLine(String kind, String message, Optional<Outcome> outcome, OptionalInt at, int code) {
    private static final String REJECTED = "REJECTED";

    /** Of words that are no command line. */
    static FailureLine misunderstood(String message) {
        return misunderstood(message, OptionalInt.empty());
    }

    private static FailureLine misunderstood(String message, OptionalInt at) {
        return new FailureLine(REJECTED, Messages.oneLine(message), Optional.empty(), at, ExitCode.REJECTED);
    }

    /** @param isWrite whether rows were to be written, so that it matters what became of them */
    static FailureLine of(Throwable failure, boolean isWrite) {
        String message = Messages.oneLine(failure.getMessage());
        if (failure instanceof BigtableException expected) {
            return new FailureLine(
                    expected.kind().name(),
                    message,
                    Optional.of(expected.outcome()).filter(outcome -> isWrite),
                    OptionalInt.empty(),
                    ExitCode.of(expected));
        }
        if (failure instanceof UsageException wrong) {
            return misunderstood(message, wrong.at());
        }
        if (failure instanceof IllegalArgumentException mistake) {
            // The library refuses what no server would take, before it sends anything.
            return new FailureLine(
                    REJECTED,
                    Messages.oneLine(MistakeException.advised(mistake, "correct it")),
                    written(isWrite, Outcome.NOT_APPLIED),
                    OptionalInt.empty(),
                    ExitCode.REJECTED);
        }
        return new FailureLine(
                "INTERNAL",
                failure.getClass().getSimpleName() + ": " + message,
                written(isWrite, Outcome.UNKNOWN),
                OptionalInt.empty(),
                ExitCode.INTERNAL);
    }

    private static Optional<Outcome> written(boolean isWrite, Outcome outcome) {
        return isWrite ? Optional.of(outcome) : Optional.empty();
    }

    void print(PrintStream err, boolean json) {
        if (json) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("failure", kind);
            document.put("message", message);
            outcome.ifPresent(known -> document.put("outcome", known.name()));
            at.ifPresent(character -> document.put("at", character));
            Json.print(err, document);
        } else {
            err.println("bt: " + kind + ": " + message
                    + outcome.map(known -> "; outcome " + known).orElse(""));
        }
    }
}
