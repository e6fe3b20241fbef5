package bt.shell;

import bt.base.MistakeException;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt alter}. */
@picocli.CommandLine.Command(
        name = "alter",
        description = "Changes a served table, as in: bt alter web --add language --change anchor:versions=5",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt alter webtable --add language --change contents:versions=5",
            "  bt alter webtable --group big:codec=zstd,block=128k --change contents:group=big",
            "  bt alter webtable --quota 10g --user-quota alice=1g",
            "  bt alter webtable --change anchor:versions=1 --yes",
            "  bt alter webtable --drop language --yes"
        })
public final class AlterCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Option(names = "--add", paramLabel = FamilyText.FORM, description = "Adds a column family. May be repeated.")
    private List<String> added = new ArrayList<>();

    @Option(
            names = "--change",
            paramLabel = FamilyText.FORM,
            description =
                    "Replaces the rules of a family (\"all\" keeps every version), or moves it to another locality"
                            + " group. What a stricter rule calls garbage is gone for good, what a looser one keeps may have"
                            + " been garbage already. May be repeated.")
    private List<String> changed = new ArrayList<>();

    @Option(
            names = "--drop",
            paramLabel = "FAMILY",
            description = "Drops a family with all its cells, for good. May be repeated.")
    private List<String> dropped = new ArrayList<>();

    @Option(
            names = "--group",
            paramLabel = GroupText.FORM,
            description =
                    "Adds a locality group, or tunes the one of that name: what is not said is as in the default group."
                            + " Holds for files that are written from then on. May be repeated.")
    private List<String> groups = new ArrayList<>();

    @Option(
            names = "--drop-group",
            paramLabel = "NAME",
            description = "Drops a locality group that has no family. May be repeated.")
    private List<String> droppedGroups = new ArrayList<>();

    @Option(
            names = "--durability",
            paramLabel = "sync|flush",
            description = "What an acknowledged write has survived: a power cut, or the death of any process.")
    private @Nullable Durability durability;

    @Mixin
    private QuotaOptions quotaOptions = new QuotaOptions();

    @Option(names = "--yes", description = "Without it no family is dropped, and none gets a stricter rule.")
    private boolean yes;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (!dropped.isEmpty() && !yes) {
            throw new UsageException(
                    "family " + String.join(", ", dropped)
                            + " would be gone with all its cells, and bt undelete brings back none",
                    "say so with --yes");
        }
        List<FamilyText> additions = parse(added);
        List<FamilyText> changes = parse(changed);
        List<LocalityGroup> tuned = new ArrayList<>();
        for (String group : groups) {
            tuned.add(GroupText.parse(group));
        }
        List<UnaryOperator<Quotas>> quotas = quotaOptions.changes();
        Bigtable bigtable = Connected.to(invocation);
        TableSchema altered = bigtable.admin().alterTable(table, now -> {
            SchemaChange change = now.change();
            tuned.forEach(change::group);
            dropped.forEach(change::dropFamily);
            additions.forEach(family -> family.addTo(change));
            changes.forEach(family -> family.change(change));
            droppedGroups.forEach(change::dropGroup);
            quotas.forEach(change::quotas);
            Optional.ofNullable(durability).ifPresent(change::durability);
            TableSchema next = change.build();
            if (!yes) {
                checkKept(now, next);
            }
            return next;
        });
        invocation.err().println("table " + table + " has version " + altered.version() + " of its schema");
        return ExitCode.DONE;
    }

    /** IllegalArgumentException where a family of both keeps less than it did. */
    private static void checkKept(TableSchema now, TableSchema next) {
        for (FamilySchema before : now.families()) {
            next.family(before.id()).ifPresent(after -> {
                if (!GcRule.keepsAllOf(before.garbage(), after.garbage())) {
                    throw new MistakeException(
                            "family " + before.name() + ": under "
                                    + FamilyText.of(after.garbage())
                                    + " cells may be gone for good that are kept under "
                                    + FamilyText.of(before.garbage()) + "; nothing was done",
                            "say so with --yes");
                }
            });
        }
    }

    private static List<FamilyText> parse(List<String> families) throws UsageException {
        List<FamilyText> parsed = new ArrayList<>();
        for (String family : families) {
            parsed.add(FamilyText.parse(family));
        }
        return parsed;
    }
}
