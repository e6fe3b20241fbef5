package bt.shell;

import bt.base.BigtableException;
import bt.client.Admin;
import bt.client.Operation;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code bt operations}. */
@picocli.CommandLine.Command(
        name = "operations",
        description =
                "Lists what the cluster does that takes long, with ids and how far it is: drains, recoveries, flushes,"
                        + " compactions, splits, merges, moves and sweeps of garbage that somebody has begun, and tables that were"
                        + " created, truncated or undeleted and are not served yet. Or waits for one, or takes one back.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt operations",
            "  bt operations --wait drain/worker3_4711_ab",
            "  bt operations --wait ID --seconds 60",
            "  bt operations --cancel merge/webtable"
        })
public final class OperationsCommand implements Command {
    @Option(
            names = "--wait",
            paramLabel = "ID",
            description = "Returns when it is done, or is not under way any more; says meanwhile how far it is.")
    private @Nullable String awaited;

    @Option(
            names = "--cancel",
            paramLabel = "ID",
            description = "A flush, compaction, split, merge or move begins in no more tablets.")
    private @Nullable String cancelled;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Waits for so long at most (default: 3600); what is not done by then goes on.")
    private int seconds = 3_600;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        String id = awaited;
        String unwanted = cancelled;
        if (id != null && unwanted != null) {
            throw new UsageException("--wait or --cancel, not both", "leave one of them out");
        }
        if (unwanted != null && unwanted.startsWith("drain/")) {
            throw new UsageException(unwanted, "a drain ends with bt drain --undo");
        }
        Admin admin = Connected.to(invocation).admin();
        if (unwanted != null) {
            admin.cancelOperation(unwanted);
        } else if (id == null) {
            admin.operations().forEach(operation -> print(invocation, operation));
        } else {
            ChangedLines lines = new ChangedLines(invocation.err());
            admin.awaitOperation(id, TimeUnit.SECONDS.toMillis(seconds), lines);
            List<Operation.Refusal> refused =
                    lines.last.map(Operation::refusals).orElse(List.of());
            if (!refused.isEmpty()) {
                throw refused.get(0).failure("table " + lines.last.orElseThrow().subject());
            }
        }
        return ExitCode.DONE;
    }

    private static void print(Invocation invocation, Operation operation) {
        if (invocation.json()) {
            Json.print(invocation.out(), document(operation));
        } else {
            invocation.out().println(text(operation));
        }
    }

    static String text(Operation operation) {
        String left = operation.millisLeft().isPresent()
                ? "\tabout " + (operation.millisLeft().getAsLong() + 999) / 1_000 + " s left"
                : "";
        String hindrance = operation
                .hindrance()
                .map(why -> "\thindered and tried again (" + undo(operation) + ": not any more): " + why)
                .orElse("");
        String refusals = operation.refusals().stream()
                .map(refusal ->
                        "\trefused" + (refusal.row().isEmpty() ? "" : " at " + refusal.row()) + ": " + refusal.why())
                .collect(Collectors.joining());
        String unit = operation.kind() == Operation.Kind.SWEEP ? " tables left" : " tablets left";
        return operation.id() + "\t" + (operation.isDone() ? "done" : operation.tabletsLeft() + unit) + left + hindrance
                + refusals;
    }

    private static String undo(Operation operation) {
        return operation.kind() == Operation.Kind.DRAIN
                ? "bt drain --undo " + operation.subject()
                : "bt operations --cancel " + operation.id();
    }

    /** What somebody has begun and does not wait for: its id, or as a document. */
    static void printBegun(Invocation invocation, Operation begun) {
        if (invocation.json()) {
            Json.print(invocation.out(), document(begun));
        } else {
            invocation.out().println(begun.id());
        }
    }

    /** Prints what has begun, or waits for it, for a day at most, and says meanwhile how far it is. */
    static void printOrAwait(Invocation invocation, Admin admin, Operation begun, boolean noWait) throws Exception {
        if (noWait) {
            printBegun(invocation, begun);
        } else {
            Operation unused = await(invocation, admin, begun);
        }
    }

    /** The same of who waits; the last that was told of it. */
    static Operation await(Invocation invocation, Admin admin, Operation begun) throws BigtableException {
        return await(invocation, admin, begun, progress -> {});
    }

    /** Each look is told, too. */
    static Operation await(Invocation invocation, Admin admin, Operation begun, Consumer<Operation> progress)
            throws BigtableException {
        ChangedLines lines = new ChangedLines(invocation.err());
        admin.awaitOperation(begun.id(), TimeUnit.DAYS.toMillis(1), lines.andThen(progress));
        return lines.last.orElse(begun);
    }

    /** A line for each look at an operation that tells something else than the one before. */
    static final class ChangedLines implements Consumer<Operation> {
        private final PrintStream out;
        private Optional<Operation> last = Optional.empty();

        ChangedLines(PrintStream out) {
            this.out = out;
        }

        @Override
        public void accept(Operation operation) {
            String line = text(operation);
            if (!last.map(OperationsCommand::text).equals(Optional.of(line))) {
                out.println(line);
            }
            last = Optional.of(operation);
        }
    }

    static Map<String, Object> document(Operation operation) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", operation.id());
        document.put("kind", operation.kind().name().toLowerCase(Locale.ROOT));
        if (operation.kind() == Operation.Kind.SWEEP) {
            document.put("tablesLeft", operation.tabletsLeft());
        } else {
            document.put(operation.kind().isOfTable() ? "table" : "server", operation.subject());
            document.put("tabletsLeft", operation.tabletsLeft());
        }
        operation.millisLeft().ifPresent(millis -> document.put("millisLeft", millis));
        document.put("done", operation.isDone());
        operation.hindrance().ifPresent(why -> document.put("hindrance", why));
        if (!operation.refusals().isEmpty()) {
            document.put(
                    "refusals",
                    operation.refusals().stream()
                            .map(OperationsCommand::document)
                            .toList());
        }
        return document;
    }

    private static Map<String, Object> document(Operation.Refusal refusal) {
        Map<String, Object> document = new LinkedHashMap<>();
        if (!refusal.row().isEmpty()) {
            document.put("row", refusal.row().toString());
        }
        document.put("kind", refusal.kind().name());
        document.put("why", refusal.why());
        return document;
    }
}
