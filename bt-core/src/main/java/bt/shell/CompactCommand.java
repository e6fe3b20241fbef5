package bt.shell;

import bt.base.Bytes;
import bt.client.Admin;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.RowRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt compact}. */
@picocli.CommandLine.Command(
        name = "compact",
        description =
                "Has all that a table holds go through a major compaction: what is deleted, too old or beyond a limit"
                        + " of versions goes from its files. Says how far it is, and returns when it is done, or somebody has"
                        + " taken it back, or the table is dropped.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt compact webtable",
            "  bt compact webtable --from com.a --to com.n",
            "  bt compact webtable --no-wait",
            "  bt compact webtable --undo"
        })
public final class CompactCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String table = "";

    @Option(names = "--from", paramLabel = "ROW", description = "No tablet before the one that holds this row.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "ROW", description = "No tablet that begins with this row or behind it.")
    private @Nullable String to;

    @Option(names = "--undo", description = "One that is under way begins in no more tablets.")
    private boolean undo;

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
        if (undo && (noWait || from != null || to != null)) {
            throw new UsageException("--undo ends all of it, and waits for nothing", "leave the other options out");
        }
        RowRange rows = rows();
        Admin admin = Connected.to(invocation).admin();
        if (undo) {
            admin.cancelCompaction(table);
            return ExitCode.DONE;
        }
        OperationsCommand.printOrAwait(invocation, admin, admin.startCompaction(table, rows), noWait);
        return ExitCode.DONE;
    }

    private RowRange rows() throws UsageException {
        Bytes first = from == null ? Bytes.EMPTY : Bytes.parse(from);
        Optional<Bytes> end = Optional.ofNullable(to).map(Bytes::parse);
        if (end.isPresent() && first.compareTo(end.get()) >= 0) {
            throw new UsageException("no row lies from " + first + " to " + end.get(), "exchange --from and --to");
        }
        return new RowRange(first, end);
    }
}
