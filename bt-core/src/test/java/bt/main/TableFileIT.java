package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.client.Admin;
import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.testing.LimitCases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of which so much is said that it hardly fits their file, or does not, at a lock service that has such a bound. */
class TableFileIT {
    private static final int MOST_BYTES = 999_900;

    private static MiniBigtable cluster;
    private static Admin admin;
    private static CommandLines bt;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        admin = cluster.bigtable().admin();
        bt = CommandLines.over(cluster.bigtable());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void throughTheLibrary() throws Exception {
        LimitCases.checkTables("made", draft -> {
            try {
                return admin.createTable(draft, List.of()).families().size()
                        == draft.families().size();
            } catch (RejectedException refused) {
                assertThat(refused.outcome()).isEqualTo(Outcome.NOT_APPLIED);
                assertThat(refused)
                        .hasMessageMatching(
                                "table made128: its description has 1[0-9]{6} bytes, " + MOST_BYTES
                                        + " at most: give it shorter names, fewer families or groups, or shorter lists of rights");
                return false;
            }
        });
        TableSchema before = admin.table("made60").orElseThrow();
        assertThatThrownBy(() -> admin.alterTable("made60", TableFileIT::inOneLongGroup))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("table made60: its description has ");
        assertThat(admin.table("made60")).contains(before);
    }

    /** But for one, in whose place the group comes. */
    private static TableSchema inOneLongGroup(TableSchema now) {
        LocalityGroup first = now.groups().get(0);
        LocalityGroup group =
                new LocalityGroup("g".repeat(128), first.blockBytes(), first.codec(), first.inMemory(), first.bloom());
        List<FamilySchema> families = now.families().stream()
                .skip(1)
                .map(family -> family.inGroup(group.name()))
                .toList();
        return new TableSchema(
                now.id(),
                now.name(),
                now.version(),
                now.nextFamilyId(),
                now.durability(),
                families,
                List.of(first, group));
    }

    /** What is shown of one can be applied: people keep schemas so. */
    @Test
    void throughASchemaFile(@TempDir Path directory) throws Exception {
        TableSchema present = LimitCases.tables("shown").values().iterator().next();
        admin.createTable(present, List.of());
        Result shown = bt.run("schema", "show", present.name());
        assertThat(shown.code()).as(shown.err()).isEqualTo(ExitCode.DONE);
        assertThat(shown.out()).as("more than was once read").hasSizeGreaterThan(1 << 20);
        Path file = directory.resolve("schema.json");
        LimitCases.checkTables("applied", draft -> {
            String longer = draft.families().get(0).name().substring(60);
            Files.writeString(
                    file,
                    shown.out()
                            .replace(present.name(), draft.name())
                            .replaceAll("(\"family\"\\s*:\\s*\")", "$1" + longer.replace('0', 'f')));
            Result applied = bt.run("schema", "apply", file.toString(), "--yes");
            assertThat(applied.code()).as(applied.err()).isIn(ExitCode.DONE, ExitCode.REJECTED);
            assertThat(admin.table(draft.name()).map(made -> made.families().size()))
                    .isEqualTo(
                            applied.code() == ExitCode.DONE
                                    ? Optional.of(draft.families().size())
                                    : Optional.empty());
            return applied.code() == ExitCode.DONE;
        });
        String again = bt.run("schema", "show", "applied60").out();
        assertThat(again.replace("applied60", present.name())).isEqualTo(shown.out());
    }

    /** A byte more is refused, for somebody may want to be rid of it. */
    @Test
    void aTableThatFillsItsFileIsTruncatedDroppedAndBroughtBack() throws Exception {
        assertThatThrownBy(() -> admin.createTable(filling(MOST_BYTES + 1), List.of()))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("table filled: its description has 999901 bytes");
        TableSchema draft = filling(MOST_BYTES);
        admin.createTable(draft, List.of());
        admin.truncateTable("filled");
        admin.dropTable("filled");
        admin.undeleteTable("filled");
        assertThat(admin.table("filled").orElseThrow().families()).hasSameSizeAs(draft.families());
    }

    private static TableSchema filling(int bytes) {
        int left = bytes - length(families(0));
        TableSchema draft = families(left);
        assertThat(length(draft)).isEqualTo(bytes);
        return draft;
    }

    private static int length(TableSchema draft) {
        return TableFile.encode(Schemas.encode(draft)).length();
    }

    /** With so many letters more in their names, all of which have lengths of two bytes. */
    private static TableSchema families(int more) {
        TableSchema.Builder draft = TableSchema.draft("filled");
        int left = more;
        for (int i = 0; i < 9_000; i++) {
            int letters = Math.min(58, left);
            left -= letters;
            draft.family(String.format("%070d", i) + "x".repeat(letters), GcRule.KEEP_ALL);
        }
        return draft.build();
    }
}
