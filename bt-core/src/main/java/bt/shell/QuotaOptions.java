package bt.shell;

import bt.command.UsageException;
import bt.model.Quotas;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a command is told of a table's quotas. */
final class QuotaOptions {
    @Option(
            names = "--quota",
            paramLabel = QuotaText.SIZE,
            description = "How much the table may take, as in 10g: writes beyond are refused, deletions never.")
    private @Nullable String quota;

    @Option(
            names = "--user-quota",
            paramLabel = QuotaText.OF_USER,
            description = "How much of the table one user may take; *=SIZE holds for every user without one. May be"
                    + " repeated.")
    private List<String> userQuotas = new ArrayList<>();

    /** What of a table's quotas becomes other than it was. */
    List<UnaryOperator<Quotas>> changes() throws UsageException {
        List<UnaryOperator<Quotas>> changes = new ArrayList<>();
        if (quota != null) {
            changes.add(QuotaText.table(quota));
        }
        for (String user : userQuotas) {
            changes.add(QuotaText.user(user));
        }
        return changes;
    }
}
