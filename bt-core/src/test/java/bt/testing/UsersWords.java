package bt.testing;

import bt.protocol.Answer;
import bt.protocol.WriteResult;
import bt.record.WorkLine;
import bt.record.WorkReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What servers tell users: tables, by name, and rows. The number of a table, and that of a tablet with it, is of no use to
 * anybody who cannot look into METADATA; only where its rows are spoken of it is their name.
 */
final class UsersWords {
    private static final Pattern NUMBERED =
            Pattern.compile("(?<![\\w/.:\\\\-])(?<!METADATA row )[0-9]+/|\\btable [0-9]+\\b");

    private UsersWords() {}

    /** The first text of an answer, or a failure, that names a tablet or a table by its number. */
    static Optional<String> numbered(@Nullable Answer value, @Nullable Throwable failure) {
        return texts(value, failure).stream()
                .filter(text -> NUMBERED.matcher(text).find())
                .findFirst();
    }

    private static List<String> texts(@Nullable Answer value, @Nullable Throwable failure) {
        List<String> texts = new ArrayList<>();
        if (failure != null) {
            texts.add(String.valueOf(failure.getMessage()));
        } else if (value instanceof Answer.Mutated mutated) {
            for (WriteResult result : mutated.results()) {
                result.failure().ifPresent(refused -> texts.add(String.valueOf(refused.getMessage())));
            }
        } else if (value instanceof Answer.Control control && control.message() instanceof WorkReport report) {
            for (WorkLine line : report.getLines()) {
                texts.add(String.valueOf(line.getFailure()));
                line.getRefusals().forEach(refusal -> texts.add(refusal.getWhy()));
            }
        }
        return texts;
    }
}
