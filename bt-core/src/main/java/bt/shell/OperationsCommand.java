package bt.shell;

import bt.client.Admin;
import bt.client.Operation;
import bt.client.Operation.Kind;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
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
                "Lists what the cluster does that takes long, drains, recoveries and compactions, with ids and how far they are;"
                        + " or waits for one.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt operations",
            "  bt operations --wait drain/worker3_4711_ab",
            "  bt operations --wait ID --seconds 60"
        })
public final class OperationsCommand implements Command {
    @Option(
            names = "--wait",
            paramLabel = "ID",
            description = "Returns when it is done, or is not under way any more; says meanwhile how far it is.")
    private @Nullable String awaited;

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
        Admin admin = Connected.to(invocation).admin();
        String id = awaited;
        if (id == null) {
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
        return operation.id() + "\t" + (operation.isDone() ? "done" : operation.tabletsLeft() + " tablets left") + left;
    }

    /** What somebody has begun and does not wait for: its id, or as a document. */
    static void printBegun(Invocation invocation, Operation begun) {
        if (invocation.json()) {
            Json.print(invocation.out(), document(begun));
        } else {
            invocation.out().println(begun.id());
        }
    }

    static Map<String, Object> document(Operation operation) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", operation.id());
        document.put("kind", operation.kind().name().toLowerCase(Locale.ROOT));
        document.put(operation.kind() == Kind.COMPACTION ? "table" : "server", operation.subject());
        document.put("tabletsLeft", operation.tabletsLeft());
        operation.millisLeft().ifPresent(millis -> document.put("millisLeft", millis));
        document.put("done", operation.isDone());
        return document;
    }
}
