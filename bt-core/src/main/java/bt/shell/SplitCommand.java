package bt.shell;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.client.Operation.Refusal;
import bt.client.TabletInfo;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt split}. */
@picocli.CommandLine.Command(
        name = "split",
        description =
                "Splits the tablet that holds a row, so that it ends with it; without a row, every tablet in its middle."
                        + " Prints the rows that tablets end with now. A tablet of which all bytes are of one row cannot be split.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt split webtable com.m", "  bt split webtable", "  bt split webtable --no-wait"})
public final class SplitCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "ROW", description = "The last row of the lower half.")
    private @Nullable String row;

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
        Bigtable bigtable = Connected.to(invocation);
        Optional<Bytes> last = Optional.ofNullable(row).map(Bytes::parse);
        if (table.equals(Admin.METADATA)) {
            if (noWait) {
                throw new UsageException("METADATA is split without an operation", "leave --no-wait out");
            }
            print(invocation, splitMetadata(bigtable.admin(), last));
        } else if (noWait) {
            OperationsCommand.printBegun(invocation, begin(bigtable.admin(), last));
        } else {
            print(invocation, split(invocation, bigtable, last));
        }
        return ExitCode.DONE;
    }

    private Operation begin(Admin admin, Optional<Bytes> last) throws BigtableException {
        return last.isPresent() ? admin.startSplit(table, last.get()) : admin.startSplit(table);
    }

    private List<Bytes> splitMetadata(Admin admin, Optional<Bytes> last) throws BigtableException {
        if (last.isEmpty()) {
            return admin.splitTablets(table);
        }
        admin.splitTablet(table, last.get());
        return List.of(last.get());
    }

    /** The rows that tablets end with now, and did not before; the one that was asked for in any case. */
    private SortedSet<Bytes> split(Invocation invocation, Bigtable bigtable, Optional<Bytes> last) throws Exception {
        SortedSet<Bytes> before = ends(bigtable);
        Operation over = OperationsCommand.await(invocation, bigtable.admin(), begin(bigtable.admin(), last));
        SortedSet<Bytes> ends = ends(bigtable);
        if (last.isPresent()) {
            if (!ends.contains(last.get())) {
                check(over, refusal -> refusal.row().equals(last.get()));
                throw new UnavailableException(
                        "table " + table + ": no tablet ends with row "
                                + last.get().brief() + ", the split was taken back or undone",
                        Outcome.UNKNOWN);
            }
            return new TreeSet<>(List.of(last.get()));
        }
        ends.removeAll(before);
        if (ends.isEmpty()) {
            check(over, refusal -> refusal.row().isEmpty() && refusal.kind() == Kind.CORRUPTION);
            throw new RejectedException(
                    "table " + table
                            + " has no tablet that can be split in its middle: their bytes are of one row each, or of so few that they"
                            + " lie in one block",
                    "name a row");
        }
        return ends;
    }

    private void check(Operation over, Predicate<Refusal> isMeant) throws BigtableException {
        Optional<Refusal> refusal = over.refusals().stream().filter(isMeant).findFirst();
        if (refusal.isPresent()) {
            throw refusal.get().failure("table " + table);
        }
    }

    private SortedSet<Bytes> ends(Bigtable bigtable) throws BigtableException {
        return bigtable.table(table).tablets().stream()
                .map(TabletInfo::range)
                .flatMap(range -> range.end().stream())
                // What comes right behind the last row, as a range ends.
                .map(end -> end.slice(0, end.length() - 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void print(Invocation invocation, Iterable<Bytes> ends) {
        for (Bytes end : ends) {
            if (invocation.json()) {
                Json.print(invocation.out(), Map.of("end", end.toString()));
            } else {
                invocation.out().println(end);
            }
        }
    }
}
