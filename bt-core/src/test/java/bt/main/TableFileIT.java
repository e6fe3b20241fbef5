package bt.main;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.client.Admin;
import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.model.AccessList;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.Right;
import bt.model.SchemaChange;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.testing.LimitCases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of which so much is said that it hardly fits their file, or does not, at a lock service that has such a bound. */
class TableFileIT {
    private static final int MOST_BYTES = 999_900;

    /** Of a name with a quota, beside its 68: of three bytes for most characters, of which there are 256 at most. */
    private static final int LONGER_BYTES = 186 * 3;

    private static MiniBigtable cluster;
    private static Admin admin;
    private static CommandLines bt;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        admin = cluster.bigtable().admin();
        bt = CommandLines.over(cluster.bigtable());
        // Where nobody has, a table has no lists.
        assertThat(bt.run("grant", System.getProperty("user.name"), "all").code())
                .isEqualTo(ExitCode.DONE);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void ofSoManyFamiliesThroughTheLibrary() throws Exception {
        LimitCases.checkTables("made", (name, families) -> {
            try {
                TableSchema.Builder draft = TableSchema.draft(name);
                families.forEach(family -> draft.family(family, GcRule.KEEP_ALL));
                return admin.createTable(draft.build(), List.of()).families().size() == families.size();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageStartingWith(name + " has 501 families, more than 500: ");
                return false;
            }
        });
    }

    @Test
    void ofSoManyFamiliesThroughASchemaFile(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("schema.json");
        LimitCases.checkTables("applied", (name, families) -> {
            Files.writeString(
                    file,
                    families.stream()
                            .map(family -> "{\"family\": \"" + family + "\"}")
                            .collect(Collectors.joining(",", "{\"table\": \"" + name + "\", \"families\": [", "]}")));
            Result applied = bt.run("schema", "apply", file.toString(), "--yes");
            assertThat(applied.code()).as(applied.err()).isIn(ExitCode.DONE, ExitCode.REJECTED);
            assertThat(admin.table(name).map(made -> made.families().size()))
                    .isEqualTo(applied.code() == ExitCode.DONE ? Optional.of(families.size()) : Optional.empty());
            return applied.code() == ExitCode.DONE;
        });
    }

    /** What is shown of one can be applied: people keep schemas so. */
    @Test
    void whatIsShownOfATableThatFillsItsFileIsApplied(@TempDir Path directory) throws Exception {
        admin.createTable(filling("shown", MOST_BYTES), List.of());
        Result shown = bt.run("schema", "show", "shown");
        assertThat(shown.code()).as(shown.err()).isEqualTo(ExitCode.DONE);
        assertThat(shown.out().getBytes(UTF_8)).as("more than was once read").hasSizeGreaterThan(1 << 20);
        Path file = directory.resolve("schema.json");
        Files.writeString(file, shown.out().replace("\"shown\"", "\"again\""));
        Result applied = bt.run("schema", "apply", file.toString(), "--yes");
        assertThat(applied.code()).as(applied.err()).isEqualTo(ExitCode.DONE);
        assertThat(bt.run("schema", "show", "again").out().replace("\"again\"", "\"shown\""))
                .isEqualTo(shown.out());
    }

    /** A byte more is refused, for somebody may want to be rid of it. */
    @Test
    void aTableThatFillsItsFileIsTruncatedDroppedAndBroughtBack() throws Exception {
        assertThatThrownBy(() -> admin.createTable(filling("filled", MOST_BYTES + 1), List.of()))
                .isInstanceOf(RejectedException.class)
                .hasMessage("table filled: its description has 999901 bytes, " + MOST_BYTES
                        + " at most: give it shorter names, fewer families or groups, or shorter lists of rights")
                .extracting(refused -> ((RejectedException) refused).outcome())
                .isEqualTo(Outcome.NOT_APPLIED);
        TableSchema made = admin.createTable(filling("filled", MOST_BYTES), List.of());
        assertThatThrownBy(() -> admin.alterTable("filled", TableFileIT::inOneLongGroup))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("table filled: its description has ");
        assertThat(admin.table("filled")).contains(made);
        admin.truncateTable("filled");
        admin.dropTable("filled");
        admin.undeleteTable("filled");
        assertThat(admin.table("filled").orElseThrow().families()).hasSize(Limits.FAMILIES);
    }

    /** All families come into it. */
    private static TableSchema inOneLongGroup(TableSchema now) {
        LocalityGroup first = now.groups().get(0);
        LocalityGroup group =
                new LocalityGroup("g".repeat(128), first.blockBytes(), first.codec(), first.inMemory(), first.bloom());
        SchemaChange change = now.change().group(group);
        now.families().forEach(family -> change.moveFamily(family.name(), group.name()));
        return change.build();
    }

    private static TableSchema filling(String name, int bytes) {
        int left = bytes - length(described(name, 0));
        TableSchema draft = described(name, left);
        assertThat(length(draft)).isEqualTo(bytes);
        return draft;
    }

    private static int length(TableSchema draft) {
        return TableFile.encode(Schemas.encode(draft)).length();
    }

    /**
     * A table of as many families and users as there may be, which shows itself to everybody, and with so many bytes more in the names
     * of those with quotas, of which all have lengths of two bytes.
     */
    private static TableSchema described(String name, int more) {
        TableSchema.Builder draft = TableSchema.draft(name);
        IntStream.range(0, Limits.FAMILIES).forEach(i -> draft.family("%0128d".formatted(i), GcRule.KEEP_ALL));
        SortedMap<String, Long> quotas = new TreeMap<>();
        int left = more;
        for (int i = 0; i < Quotas.MAX_USERS; i++) {
            int bytes = Math.min(LONGER_BYTES, left);
            left -= bytes;
            quotas.put("%068d".formatted(i) + "\u4e00".repeat(bytes / 3) + "x".repeat(bytes % 3), 1L << 40);
        }
        draft.quotas(new Quotas(OptionalLong.empty(), OptionalLong.empty(), quotas));
        SortedMap<String, Set<Right>> users = new TreeMap<>();
        IntStream.range(1, AccessList.MAX_USERS).forEach(i -> users.put("%0256d".formatted(i), EnumSet.of(Right.READ)));
        users.put(AccessList.EVERYBODY, EnumSet.of(Right.READ, Right.WRITE, Right.SCRIPT, Right.ADMIN));
        AccessList list = new AccessList(users);
        return draft.build().with(Optional.of(new TableAccess(list, new TreeMap<>(Map.of(1, list)))));
    }
}
