package bt.shell;

import bt.client.Table;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.RowMutation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a write happens, by what its row holds then. One command line; one thread. */
final class ConditionOption {
    @Option(
            names = "--if",
            paramLabel = "FILTER",
            description = "Only if it lets a cell of the row pass, with nothing of others in between; else nothing is"
                    + " written, and the exit code is 1.")
    private @Nullable String when;

    @Option(names = "--unless", paramLabel = "FILTER", description = "Only if it lets no cell of the row pass.")
    private @Nullable String unless;

    /** The same exit code as of a read that finds nothing where the row is not as it should be. */
    int apply(String name, RowMutation mutation, Invocation invocation) throws Exception {
        if (when != null && unless != null) {
            throw new UsageException("--if and --unless are two conditions", "join their filters, as in A & B");
        }
        Optional<Filter> passes = Filters.parse(when, invocation);
        Optional<Filter> fails = Filters.parse(unless, invocation);
        Table table = Connected.toWrite(invocation, name);
        if (passes.isEmpty() && fails.isEmpty()) {
            table.apply(mutation);
            return ExitCode.DONE;
        }
        boolean passed = table.apply(
                passes.isPresent()
                        ? ConditionalMutation.when(passes.get(), mutation)
                        : ConditionalMutation.unless(fails.orElseThrow(), mutation));
        return passed == passes.isPresent() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
    }
}
