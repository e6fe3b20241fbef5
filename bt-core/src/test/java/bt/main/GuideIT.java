package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.ClientOptions;
import bt.client.GuideContract;
import bt.client.Operation;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.client.TabletInfo;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.main.CommandLines.Result;
import bt.model.AccessList;
import bt.model.Bloom;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Right;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.Timestamps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pages of docs/guide on the real servers: programs, command lines, filters. */
class GuideIT extends GuideContract {
    private static final Path GUIDE = Path.of("../docs/guide");
    private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}bt (.+?)(?: {2,}.*)?$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
    private static final Pattern TIME = Pattern.compile("\\t[0-9]{16}\\t");
    private static final Pattern CELLS = Pattern.compile("```filter-cells\n(.*?)```", Pattern.DOTALL);
    private static final String PROMPT = "    dev> ";

    private static MiniBigtable cluster;
    private static CommandLines bt;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        bt = new CommandLines(cluster.at());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected Bigtable open() throws Exception {
        TableSchema unused = cluster.bigtable().admin().createTable(WEBTABLE, List.of());
        return cluster.bigtable();
    }

    @AfterEach
    void dropTables() throws Exception {
        for (TableSchema table : cluster.bigtable().admin().tables()) {
            cluster.bigtable().admin().dropTable(table.name());
        }
    }

    @Test
    void theClientsBounds() throws Exception {
        String address = cluster.at();
        boolean known;
        ClientOptions options = ClientOptions.DEFAULT
                .operationTimeout(Duration.ofSeconds(5))
                .requestTimeout(Duration.ofSeconds(2))
                .batches(50_000, 32 << 20);
        try (Bigtable client = Connect.to(address, options)) {
            known = client.table("webtable").exists(Bytes.utf8("com.cnn.www"));
        }
        assertThat(known).isFalse();
    }

    @Test
    void readme() throws Exception {
        try (Bigtable bigtable = Connect.to(cluster.at())) {
            Table webtable = bigtable.table("webtable");
            webtable.apply(RowMutation.of("com.cnn.www")
                    .set("anchor", "www.c-span.org", "CNN")
                    .deleteColumn(ColumnKey.of("anchor", "www.abc.com"))
                    .build());
            try (Scanner scanner = webtable.scan(Scan.row("com.cnn.www").family("anchor"))) {
                for (Row row : scanner) {
                    row.cells().forEach(System.out::println);
                }
            }
        }
        assertThat(cluster.bigtable().table("webtable").exists(Bytes.utf8("com.cnn.www")))
                .isTrue();
    }

    @Test
    void admin() throws Exception {
        Bigtable bigtable = cluster.bigtable();
        bigtable.table("webtable")
                .apply(RowMutation.of("com.cnn.www").set("anchor", "a", "CNN").build());
        List<String> ends = new ArrayList<>();
        List<String> told = new ArrayList<>();

        Admin admin = bigtable.admin();
        admin.splitTablet("webtable", Bytes.utf8("com.m"));
        for (TabletInfo tablet : bigtable.table("webtable").tablets()) {
            ends.add(tablet.range().end().map(Bytes::toString).orElse("the last"));
        }
        admin.mergeTablets("webtable", Bytes.utf8("com.a"), Bytes.utf8("org"));
        assertThat(ends).containsExactly("com.m\\x00", "the last");
        assertThat(bigtable.table("webtable").tablets()).hasSize(1);

        Operation compaction = admin.startCompaction("webtable", RowRange.prefix(Bytes.utf8("com.cnn.")));
        admin.awaitOperation(compaction.id(), 60_000, progress -> {
            told.add(progress.tabletsLeft() + " tablets left");
            progress.hindrance().ifPresent(told::add);
        });
        assertThat(compaction.id()).isEqualTo("compaction/webtable");
        assertThat(told).allMatch(line -> line.matches("[01] tablets left"));
        assertThat(admin.operations()).extracting(Operation::id).doesNotContain(compaction.id());

        for (Operation operation : admin.operations()) {
            if (operation.kind() == Operation.Kind.COMPACTION
                    && operation.subject().equals("webtable")) {
                admin.cancelOperation(operation.id());
            }
        }
    }

    @Test
    void rights() throws Exception {
        Admin admin = cluster.bigtable().admin();
        AccessList list = admin.alterAccess(rights -> rights.grant("ada", Right.OF_CLUSTERS));
        TableSchema webtable = admin.alterTable("webtable", table -> table.change()
                .grant("alice", Set.of(Right.READ, Right.WRITE), Optional.empty())
                .grant("*", Set.of(Right.READ), Optional.of("anchor"))
                .revoke("alice", Set.of(Right.WRITE), Optional.empty())
                .build());
        assertThat(list.users().keySet()).contains("ada");
        assertThat(webtable.access().orElseThrow().table().users()).containsEntry("alice", Set.of(Right.READ));
        assertThat(webtable.access().orElseThrow().families()).hasSize(1);
    }

    @Test
    void aClusterOfATestsOwn() throws Exception {
        try (MiniBigtable cluster = MiniBigtable.start(Map.of("undelete.seconds", "0"))) {
            TableSchema pages = cluster.bigtable()
                    .admin()
                    .createTable(TableSchema.draft("pages")
                            .family("contents", GcRule.KEEP_ALL)
                            .build());
            assertThat(pages.name()).isEqualTo("pages");
        }
    }

    @Test
    void schemaDesign() throws Exception {
        Bigtable bigtable = cluster.bigtable();
        Table webtable = bigtable.table("webtable");
        for (long micros : new long[] {1_000, 3_000, 2_000}) {
            webtable.apply(RowMutation.of(newestFirst("ada", micros))
                    .set(ColumnKey.of("stats", "at"), Bytes.utf8("" + micros))
                    .build());
        }
        webtable.apply(RowMutation.of(newestFirst("adam", 9_000))
                .set("stats", "at", "9000")
                .build());
        Scan latest = Scan.of(RowRange.prefix(Bytes.utf8("ada\0"))).limit(2);
        List<String> found = new ArrayList<>();
        try (Scanner scanner = webtable.scan(latest)) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                found.add(row.get().cells().get(0).value().toUtf8());
            }
        }
        assertThat(found).containsExactly("3000", "2000");

        long days30 = 30L * 24 * 3600 * 1_000_000;
        TableSchema draft = TableSchema.draft("crawl")
                .group(new LocalityGroup("pages", 128 << 10, "zstd", false, Bloom.ROW))
                .family("contents", "pages", new GcRule.MaxVersions(3))
                .family("anchor", GcRule.KEEP_ALL)
                .family("stats", new GcRule.Any(List.of(new GcRule.MaxVersions(1), new GcRule.MaxAge(days30))))
                .timestamps("stats", Timestamps.SERVER)
                .build();
        TableSchema created = bigtable.admin().createTable(draft, List.of(Bytes.utf8("com.m"), Bytes.utf8("org")));
        assertThat(bigtable.table("crawl").tablets()).hasSize(3);

        TableSchema altered = bigtable.admin().alterTable("crawl", now -> now.change()
                .addFamily("language", new GcRule.MaxVersions(1))
                .garbage("contents", new GcRule.MaxVersions(1))
                .build());
        assertThat(altered.version()).isGreaterThan(created.version());
        assertThat(altered.family("contents").map(FamilySchema::garbage)).contains(new GcRule.MaxVersions(1));

        bigtable.admin().dropTable("crawl");
        for (List<String> line : commands("schema-design.md")) {
            done(line);
        }
        TableSchema byShell = bigtable.table("crawl").schema();
        assertThat(byShell.families()).isEqualTo(created.families());
        assertThat(byShell.groups()).isEqualTo(created.groups());
        assertThat(bigtable.table("crawl").tablets()).hasSize(3);
    }

    // docs/guide/schema-design.md shows it, to the letter.
    Bytes newestFirst(String user, long micros) {
        return Bytes.utf8(String.format("%s\0%019d", user, Long.MAX_VALUE - micros));
    }

    @Test
    void commandLinesOfThePages() throws Exception {
        int lines = 0;
        try (Stream<Path> pages = Files.list(GUIDE).sorted()) {
            for (Path page : pages.toList()) {
                for (List<String> line : commands(page.getFileName().toString())) {
                    done(line);
                    lines++;
                }
            }
        }
        assertThat(lines).isGreaterThan(4);
        assertThat(done(List.of("rights")).out()).contains("rights\tcluster\tada\tadmin,create\n");
        assertThat(done(List.of("describe", "webtable")).out())
                .contains("rights\ttable\talice\tread\n", "rights\tfamily anchor\t*\tread\n");
    }

    @Test
    void theSessionOfTheShellsPage() throws Exception {
        done(List.of("drop", "webtable", "--yes"));
        List<String> lines = Files.readAllLines(GUIDE.resolve("shell.md"));
        int typed = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith(PROMPT)) {
                continue;
            }
            StringBuilder answer = new StringBuilder();
            for (int j = i + 1; lines.get(j).startsWith("    ") && !lines.get(j).startsWith(PROMPT); j++) {
                answer.append(lines.get(j).strip()).append('\n');
            }
            Result result = done(words(lines.get(i).substring(PROMPT.length())));
            // The server's own time is another each time.
            assertThat(TIME.matcher(result.out() + result.err()).replaceAll("\t0\t"))
                    .isEqualTo(TIME.matcher(answer).replaceAll("\t0\t"));
            typed++;
        }
        assertThat(typed).isEqualTo(3);
    }

    /** The first block of cells is what the table holds; each of the others has a filter in its first line. */
    @Test
    void filtersLetPassWhatTheirPageSays() throws Exception {
        List<List<String>> blocks = CELLS.matcher(Files.readString(Path.of("../docs/guide/filters.md")))
                .results()
                .map((MatchResult block) -> block.group(1).lines().toList())
                .toList();
        assertThat(blocks).hasSizeGreaterThan(15);
        done(List.of("create", "pages", "contents", "anchor", "language"));
        for (String cell : blocks.get(0)) {
            List<String> parts = List.of(cell.split(" \\| ", -1));
            done(List.of("put", "pages", parts.get(0), parts.get(1), parts.get(3), "--timestamp", parts.get(2)));
        }
        for (List<String> block : blocks.subList(1, blocks.size())) {
            Result result = bt.run("scan", "pages", "--filter", block.get(0));
            assertThat(result.err()).as(block.get(0)).isEmpty();
            assertThat(result.out().replace("\t", " | ").lines().toList())
                    .as(block.get(0))
                    .isEqualTo(block.subList(1, block.size()));
        }
    }

    private static List<List<String>> commands(String page) throws Exception {
        return COMMAND.matcher(Files.readString(GUIDE.resolve(page)))
                .results()
                .map(line -> words(line.group(1)))
                .toList();
    }

    private static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> Stream.of(1, 2, 3)
                        .map(word::group)
                        .filter(text -> text != null)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    private static Result done(List<String> words) {
        Result result = bt.run(words.toArray(String[]::new));
        assertThat(result.code()).as("%s: %s", words, result.err()).isEqualTo(ExitCode.DONE);
        return result;
    }
}
