package bt.shell;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.client.Operation.Refusal;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.RowRange;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt merge}. */
@picocli.CommandLine.Command(
        name = "merge",
        description =
                "Makes one tablet of all that hold rows from FROM to TO, both included. They are not served while it lasts,"
                        + " less than a second as a rule. Says how far it is, and returns when it is done.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt merge webtable com.a com.z", "  bt merge webtable com.a com.z --no-wait"})
public final class MergeCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "FROM")
    private String from = "";

    @Parameters(index = "2", paramLabel = "TO")
    private String to = "";

    @Option(
            names = "--no-wait",
            description = "Returns when it has begun, with its id, which bt operations --wait waits for.")
    private boolean noWait;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bytes first = Bytes.parse(from);
        Bytes last = Bytes.parse(to);
        if (first.compareTo(last) > 0) {
            throw new UsageException(
                    "rows from " + first + " to " + last + ": the first comes after the last", "exchange them");
        }
        Bigtable bigtable = Connected.to(invocation);
        Operation begun = bigtable.admin().startMerge(table, first, last);
        if (noWait) {
            OperationsCommand.printBegun(invocation, begun);
        } else {
            await(invocation, bigtable, begun, RowRange.closed(first, last));
        }
        return ExitCode.DONE;
    }

    /** The operation is that of all merges of the table: what was refused may be another's. */
    private void await(Invocation invocation, Bigtable bigtable, Operation begun, RowRange rows)
            throws BigtableException {
        List<Refusal> refused = new ArrayList<>();
        Operation unused = OperationsCommand.await(invocation, bigtable.admin(), begun, now -> now.refusals().stream()
                .filter(each -> refused.isEmpty() && each.row().compareTo(rows.start()) <= 0)
                .findFirst()
                .ifPresent(refused::add));
        if (!isDone(bigtable, rows)) {
            throw refused.isEmpty() ? begun.endedUndone() : refused.get(0).failure("table " + table);
        }
    }

    private boolean isDone(Bigtable bigtable, RowRange rows) throws BigtableException {
        return bigtable.table(table).tablets().stream()
                        .filter(tablet -> !tablet.range().intersect(rows).isEmpty())
                        .count()
                == 1;
    }
}
