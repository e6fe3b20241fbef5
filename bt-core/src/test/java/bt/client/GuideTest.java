package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.testing.MemoryCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pages of docs/guide: every block of Java there stands here too, or in a test of a real cluster, and is run. */
class GuideTest {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final ColumnKey BALANCE = ColumnKey.of("stats", "balance");

    private MemoryCluster cluster;
    private Bigtable bigtable;

    @BeforeEach
    void start() throws Exception {
        TableSchema draft = TableSchema.draft("webtable")
                .family("contents", new GcRule.MaxVersions(3))
                .family("anchor", GcRule.KEEP_ALL)
                .family("stats", new GcRule.MaxVersions(1))
                .build();
        cluster = new MemoryCluster();
        cluster.table(4, draft, List.of(), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void everyBlockOfTheGuideStandsHere() throws IOException {
        String here = laidOut(Files.readString(Path.of("src/test/java/bt/client/GuideTest.java"))
                + Files.readString(Path.of("src/test/java/bt/main/junit/PagesIT.java")));
        int blocks = 0;
        try (Stream<Path> pages = Files.list(Path.of("../docs/guide"))) {
            for (Path page : pages.toList()) {
                for (MatchResult block :
                        BLOCK.matcher(Files.readString(page)).results().toList()) {
                    assertThat(here).as(page.toString()).contains(laidOut(block.group(1)));
                    blocks++;
                }
            }
        }
        assertThat(blocks).isGreaterThan(4);
    }

    /** As if all of it stood in one line: where lines break is no matter of the guide's. */
    private static String laidOut(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void figuresOfThePaper() throws Exception {
        Table webtable = bigtable.table("webtable");
        RowMutation r1 = RowMutation.of("com.cnn.www")
                .set("anchor", "www.c-span.org", "CNN")
                .deleteColumn(ColumnKey.of("anchor", "www.abc.com"))
                .build();
        webtable.apply(r1);

        List<String> printed = new ArrayList<>();
        try (Scanner scanner = webtable.scan(Scan.row("com.cnn.www").family("anchor"))) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                for (Cell cell : row.get().cells()) {
                    printed.add(cell.row() + " " + cell.column() + " " + cell.timestamp() + " " + cell.value());
                }
            }
        }
        assertThat(printed).singleElement().asString().matches("com.cnn.www anchor:www.c-span.org [0-9]+ CNN");
    }

    @Test
    void reads() throws Exception {
        Table webtable = bigtable.table("webtable");
        for (String row : List.of("com.cnn.www", "com.cnn.www/sport", "org.apache.www")) {
            webtable.apply(RowMutation.of(row)
                    .set(ColumnKey.of("contents", ""), 10, Bytes.utf8("old"))
                    .set(ColumnKey.of("contents", ""), 20, Bytes.utf8("new"))
                    .build());
        }
        List<String> found = new ArrayList<>();

        RowSet pages = RowSet.of(
                RowRange.prefix(Bytes.utf8("com.cnn.")),
                RowRange.row(Bytes.utf8("org.apache.www")),
                RowRange.closed(Bytes.utf8("org.b"), Bytes.utf8("org.c")));
        try (Scanner scanner = webtable.scan(Scan.of(pages).versions(1))) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                found.add(row.get().key().toUtf8());
            }
        }
        assertThat(found).containsExactly("com.cnn.www", "com.cnn.www/sport", "org.apache.www");

        Scan last = Scan.of(RowRange.prefix(Bytes.utf8("com.cnn."))).reversed().limit(1);
        Scan then = Scan.row("com.cnn.www").asOf(15);
        try (Scanner scanner = webtable.scan(last)) {
            assertThat(scanner.next()).map(Row::key).contains(Bytes.utf8("com.cnn.www/sport"));
            assertThat(scanner.next()).isEmpty();
        }
        try (Scanner scanner = webtable.scan(then)) {
            assertThat(scanner.next().orElseThrow().value(ColumnKey.of("contents", "")))
                    .contains(Bytes.utf8("old"));
        }
    }

    @Test
    void largeRowsAndFutures() throws Exception {
        Table webtable = bigtable.table("webtable");
        webtable.apply(RowMutation.of("com.cnn.www").set("contents", "", "page").build());

        long bytes = 0;
        try (CellScanner cells = webtable.cells(Scan.row("com.cnn.www"))) {
            for (Optional<Cell> cell = cells.next(); cell.isPresent(); cell = cells.next()) {
                bytes += cell.get().value().length();
            }
        }
        assertThat(bytes).isEqualTo(4);

        AsyncTable async = bigtable.asyncTable("webtable");
        CompletableFuture<Long> written = async.apply(
                RowMutation.of("com.cnn.www").set("anchor", "a", "CNN").build());
        CompletableFuture<Optional<Row>> read = written.thenCompose(at -> async.read(Bytes.utf8("com.cnn.www")));
        assertThat(read.get(30, TimeUnit.SECONDS).orElseThrow().cells()).hasSize(2);
    }

    @Test
    void transactions() throws Exception {
        Table webtable = bigtable.table("webtable");
        long visits = webtable.increment(Bytes.utf8("com.cnn.www"), ColumnKey.of("stats", "visits"), 1);
        assertThat(visits).isEqualTo(1);

        Filter crawled = FilterText.parse("column=contents:''");
        RowMutation first =
                RowMutation.of("com.cnn.www").set("contents", "", "<html>CNN").build();
        boolean known = webtable.apply(ConditionalMutation.unless(crawled, first));
        assertThat(known).isFalse();
        assertThat(webtable.apply(ConditionalMutation.unless(crawled, first))).isTrue();

        webtable.apply(
                RowMutation.of("account/ada").set(BALANCE, Counter.encode(100)).build());
        long left = webtable.transact(Bytes.utf8("account/ada"), tx -> {
            long balance = tx.value(BALANCE).map(Counter::decode).orElse(0L);
            if (balance < 30) {
                throw new RejectedException("ada has " + balance);
            }
            tx.set(BALANCE, Counter.encode(balance - 30));
            return balance - 30;
        });
        assertThat(left).isEqualTo(70);
        assertThat(webtable.read(Bytes.utf8("account/ada")).flatMap(row -> row.value(BALANCE)))
                .contains(Counter.encode(70));
    }
}
