package bt.shell;

import bt.client.Admin;
import bt.client.Operation;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code bt operations}. */
@picocli.CommandLine.Command(
        name = "operations",
        description =
                "Lists what the cluster does that takes long, with ids and how far it is: drains, recoveries, and flushes,"
                        + " compactions, splits and merges that somebody has begun. Or waits for one, or takes one back.",
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
            description = "A flush, compaction, split or merge begins in no more tablets.")
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
            throw new UsageException("--wait or --cancel, not both: leave one of them out");
        }
        Admin admin = Connected.to(invocation).admin();
        if (unwanted != null) {
            admin.cancelOperation(unwanted);
        } else if (id == null) {
            admin.operations().forEach(operation -> print(invocation, operation));
        } else {
            admin.awaitOperation(id, TimeUnit.SECONDS.toMillis(seconds), operation -> invocation
                    .err()
                    .println(text(operation)));
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
                .map(why -> "\tfailed and is tried again (bt operations --cancel " + operation.id()
                        + ": not any more): " + why)
                .orElse("");
        return operation.id() + "\t" + (operation.isDone() ? "done" : operation.tabletsLeft() + " tablets left") + left
                + hindrance;
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
            admin.awaitOperation(begun.id(), TimeUnit.DAYS.toMillis(1), operation -> invocation
                    .err()
                    .println(text(operation)));
        }
    }

    static Map<String, Object> document(Operation operation) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", operation.id());
        document.put("kind", operation.kind().name().toLowerCase(Locale.ROOT));
        document.put(operation.kind().isOfTable() ? "table" : "server", operation.subject());
        document.put("tabletsLeft", operation.tabletsLeft());
        operation.millisLeft().ifPresent(millis -> document.put("millisLeft", millis));
        document.put("done", operation.isDone());
        operation.hindrance().ifPresent(why -> document.put("hindrance", why));
        return document;
    }
}
