package bt.shell;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Admin;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.TableSchema;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt schema apply}. */
@picocli.CommandLine.Command(
        name = "apply",
        description =
                "Makes a table what a file says, or creates it: shows what is to be done, asks, and does it. Nothing is"
                        + " done where the table is so already.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt schema apply webtable.json",
            "  bt schema apply webtable.json --yes --split com.m --split com.t",
            "  bt schema apply webtable.json --allow-drops"
        })
public final class SchemaApplyCommand implements Command {
    /** More than is shown of any table: its own file has a megabyte, which people read at ten times that. */
    private static final long MAX_FILE_BYTES = 16 << 20;

    @Parameters(paramLabel = "FILE", description = "JSON, as bt schema show prints it.")
    private Path file = Path.of("");

    @Option(names = "--yes", description = "Does not ask. Without it, and without a terminal, nothing is done.")
    private boolean yes;

    @Option(
            names = "--allow-drops",
            description = "Without it no family is dropped, and none gets a stricter rule: cells would be gone, and bt"
                    + " undelete brings back none.")
    private boolean allowDrops;

    @Option(
            names = "--split",
            paramLabel = "ROW",
            description =
                    "Where the table is created, ends a tablet with this row; those of one that is there stay as they"
                            + " are. May be repeated.")
    private List<String> splits = new ArrayList<>();

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        TableSchema wanted = read();
        Admin admin = Connected.to(invocation).admin();
        Optional<TableSchema> present = admin.tables().stream()
                .filter(table -> table.name().equals(wanted.name()))
                .findFirst();
        SchemaPlan plan = SchemaPlan.of(present, wanted);
        show(invocation, wanted.name(), plan);
        if (plan.isEmpty()) {
            invocation.err().println("table " + wanted.name() + " is as " + file + " says");
            return ExitCode.DONE;
        }
        if (plan.drops() && !allowDrops) {
            throw new UsageException(
                    "table " + wanted.name()
                            + ": the plan drops cells, as its lines in capitals say, and bt undelete brings back none; nothing was done",
                    "say so with --allow-drops");
        }
        if (!yes && !isConfirmed()) {
            throw new UsageException(
                    "table " + wanted.name() + ": nobody has said yes to the plan, so nothing was done",
                    "--yes does it");
        }
        TableSchema now = present.isPresent()
                ? admin.alterTable(wanted.name(), before -> plan.apply(before, wanted))
                : create(admin, wanted);
        invocation.err().println("table " + wanted.name() + " has version " + now.version() + " of its schema");
        return ExitCode.DONE;
    }

    private TableSchema create(Admin admin, TableSchema wanted) throws BigtableException {
        TableSchema created =
                admin.createTable(wanted, splits.stream().map(Bytes::parse).toList());
        // Where a cluster has rights, and the file names no administrator, the creator has been given all of the table.
        SchemaPlan rest = SchemaPlan.of(Optional.of(created), wanted);
        if (rest.isEmpty()) {
            return created;
        }
        try {
            return admin.alterTable(wanted.name(), now -> rest.apply(now, wanted));
        } catch (BigtableException failed) {
            throw failed.unknown("table " + wanted.name()
                    + " was created, and whoever did so has all rights still, which the file does not give: apply it"
                    + " again: " + failed.getMessage());
        }
    }

    private TableSchema read() throws UsageException {
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new UsageException(
                        file + " has " + Files.size(file) + " bytes, a schema has " + MAX_FILE_BYTES + " at most",
                        "name the file of a schema");
            }
            return SchemaFile.parse(Files.readString(file));
        } catch (IOException unreadable) {
            throw new UsageException(file + ": " + FileProblem.of(unreadable), "name a schema file that can be read");
        } catch (UsageException wrong) {
            throw wrong.about(file.toString());
        } catch (IllegalArgumentException wrong) {
            throw UsageException.of(file.toString(), wrong, "correct it");
        }
    }

    private static void show(Invocation invocation, String table, SchemaPlan plan) {
        for (SchemaPlan.Step step : plan.steps()) {
            if (invocation.json()) {
                Json.print(invocation.out(), Map.of("table", table, "step", step.text(), "drops", step.drops()));
            } else {
                invocation.out().println(step.text());
            }
        }
        invocation.out().flush();
    }

    /** By somebody at a terminal. From JDK 22 on there is a console without one too: then by what is piped in. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isConfirmed() {
        Console console = System.console();
        return console != null && "yes".equals(console.readLine("do it? (yes/no) "));
    }
}
