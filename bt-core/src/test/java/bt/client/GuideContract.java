package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.GcRule;
import bt.model.Regex;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What programs of docs/guide do with tables, to the letter, on whatever cluster. */
public abstract class GuideContract {
    protected static final TableSchema WEBTABLE = TableSchema.draft("webtable")
            .family("contents", new GcRule.MaxVersions(3))
            .family("anchor", GcRule.KEEP_ALL)
            .family("stats", GcRule.KEEP_ALL)
            .build();

    private static final ColumnKey BALANCE = ColumnKey.of("stats", "balance");

    private Bigtable bigtable;

    /** A cluster with an empty webtable. */
    protected abstract Bigtable open() throws Exception;

    @BeforeEach
    void openWebtable() throws Exception {
        bigtable = open();
    }

    @Test
    void dataModel() throws Exception {
        Table webtable = bigtable.table("webtable");
        RowMutation page = RowMutation.of("com.cnn.www")
                .set("contents", "", "<html>CNN")
                .set(ColumnKey.of("anchor", "cnnsi.com"), 9, Bytes.utf8("CNN"))
                .set(ColumnKey.of("anchor", "my.look.ca"), 8, Bytes.utf8("CNN.com"))
                .build();
        webtable.apply(page);
        Row row = webtable.read(Bytes.utf8("com.cnn.www")).orElseThrow();
        Optional<Bytes> anchor = row.value(ColumnKey.of("anchor", "cnnsi.com"));
        assertThat(anchor).contains(Bytes.utf8("CNN"));
        assertThat(row.cells())
                .extracting(cell -> cell.column().toString())
                .containsExactlyInAnyOrder("contents:", "anchor:cnnsi.com", "anchor:my.look.ca");

        ColumnKey price = ColumnKey.of("stats", "price");
        long first = webtable.apply(
                RowMutation.of("shop/7").set(price, Bytes.utf8("10")).build());
        long second = webtable.apply(
                RowMutation.of("shop/7").set(price, Bytes.utf8("12")).build());
        assertThat(second).isGreaterThanOrEqualTo(first);
        Row shop = webtable.read(Bytes.utf8("shop/7")).orElseThrow();
        assertThat(shop.value(price)).contains(Bytes.utf8("12"));
        assertThat(shop.cells().get(0).timestamp()).isEqualTo(second);

        RowMutation again = RowMutation.of("com.cnn.www")
                .deleteFamily("anchor")
                .set(ColumnKey.of("anchor", "cnnsi.com"), 3, Bytes.utf8("CNN, again"))
                .build();
        webtable.apply(again);
        assertThat(webtable.read(Bytes.utf8("com.cnn.www"), FilterText.parse("family=anchor"))
                        .orElseThrow()
                        .cells())
                .singleElement()
                .satisfies(cell -> assertThat(cell.timestamp()).isEqualTo(3));
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
        found.clear();
        try (Scanner scanner =
                webtable.scan(Scan.prefix(Bytes.utf8("com.cnn.")).column(ColumnKey.of("contents", "")))) {
            for (Row row : scanner) {
                found.add(row.key().toUtf8());
            }
        }
        assertThat(found).containsExactly("com.cnn.www", "com.cnn.www/sport");

        List<Optional<Row>> sites = webtable.readAll(List.of(Bytes.utf8("org.apache.www"), Bytes.utf8("com.cnn.www")));
        Optional<Row> apache = sites.get(0);
        assertThat(apache).map(Row::key).contains(Bytes.utf8("org.apache.www"));
        assertThat(sites.get(1)).map(Row::key).contains(Bytes.utf8("com.cnn.www"));

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
    void manyWrites() throws Exception {
        Table webtable = bigtable.table("webtable");
        ColumnKey stock = ColumnKey.of("stats", "stock");

        try (BatchWriter batch = webtable.batch()) {
            for (int number = 0; number < 1000; number++) {
                batch.add(RowMutation.of("shop/" + number)
                        .set("stats", "stock", "12")
                        .build());
            }
        }
        assertThat(webtable.read(Bytes.utf8("shop/999")).flatMap(row -> row.value(stock)))
                .contains(Bytes.utf8("12"));

        BatchWriter batch = webtable.batch();
        CompletableFuture<Long> written =
                batch.add(RowMutation.of("shop/7").set("stats", "stock", "11").build());
        batch.flush();
        long timestamp = written.join();
        batch.close();
        assertThat(webtable.read(Bytes.utf8("shop/7")).flatMap(row -> row.cell(stock)))
                .contains(new Cell(Bytes.utf8("shop/7"), stock, timestamp, Bytes.utf8("11")));

        List<String> failures = new ArrayList<>();
        List<RowMutation> mutations = List.of(
                RowMutation.of("shop/1").set("stats", "price", "10").build(),
                RowMutation.of("shop/2").set("statistics", "price", "12").build());
        List<Written> all = webtable.applyAll(mutations);
        for (int i = 0; i < all.size(); i++) {
            Bytes row = mutations.get(i).row();
            all.get(i).failure().ifPresent(failure -> failures.add(row + " " + failure.kind()));
        }
        assertThat(failures).containsExactly("shop/2 REJECTED");
        assertThat(all.get(0).answer()).isPositive();
    }

    @Test
    void failures() throws Exception {
        Table webtable = bigtable.table("webtable");
        List<RowMutation> kept = new ArrayList<>();
        write(webtable, RowMutation.of("shop/1").set("stats", "price", "10").build(), kept, kept);
        assertThat(webtable.exists(Bytes.utf8("shop/1"))).isTrue();
        RowMutation refused =
                RowMutation.of("shop/2").set("statistics", "price", "12").build();
        assertThatThrownBy(() -> write(webtable, refused, kept, kept)).isInstanceOf(RejectedException.class);
        assertThat(kept).isEmpty();
    }

    // docs/guide/client.md shows it, to the letter.
    static void write(Table table, RowMutation mutation, List<RowMutation> later, List<RowMutation> doubtful)
            throws BigtableException {
        try {
            table.apply(mutation);
        } catch (BigtableException failed) {
            if (failed.outcome() == Outcome.UNKNOWN) {
                // It may be there, or come yet: read before it is written again.
                doubtful.add(mutation);
                return;
            }
            switch (failed.kind()) {
                // Tried for as long as an operation may take: nothing of it is there, and it may go well later.
                case UNAVAILABLE, OVERLOADED -> later.add(mutation);
                // Would fail the same way again.
                case REJECTED, CORRUPTION, FENCED -> throw failed;
            }
        }
    }

    @Test
    void filtersAsValues() throws Exception {
        Table webtable = bigtable.table("webtable");
        webtable.apply(RowMutation.of("com.cnn.www")
                .set("anchor", "www.cnn.com/a", "CNN.com")
                .build());
        webtable.apply(RowMutation.of("org.apache.www")
                .set("anchor", "www.cnn.com/b", "Apache")
                .build());
        List<String> found = new ArrayList<>();

        Filter links = new Filter.Chain(List.of(
                new Filter.Families(List.of("anchor")),
                new Filter.Matches(Filter.Part.QUALIFIER, Regex.of(".*cnn.*")),
                Filter.not(new Filter.Within(Filter.Part.VALUE, ByteRange.only(Bytes.utf8("CNN.com")))),
                new Filter.Latest(1)));
        String text = FilterText.print(links);
        try (Scanner scanner = webtable.scan(Scan.all().filtered(links))) {
            for (Row row : scanner) {
                found.add(row.key().toUtf8());
            }
        }
        assertThat(found).containsExactly("org.apache.www");
        assertThat(text).isEqualTo("family=anchor & qualifier~'.*cnn.*' & not value=CNN.com & latest(1)");
        assertThat(FilterText.parse(text)).isEqualTo(links);
    }

    @Test
    void transactions() throws Exception {
        Table webtable = bigtable.table("webtable");
        long visits = webtable.increment(Bytes.utf8("com.cnn.www"), ColumnKey.of("stats", "visits"), 1);
        assertThat(visits).isEqualTo(1);
        Map<ColumnKey, Bytes> values = webtable.modify(RowMutation.of("com.cnn.www")
                .increment(ColumnKey.of("stats", "visits"), 1)
                .append(ColumnKey.of("stats", "paths"), Bytes.utf8("/sport "))
                .build());
        assertThat(values.values()).containsExactly(Counter.encode(2), Bytes.utf8("/sport "));

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
                throw new RejectedException("ada has " + balance, "send what she has");
            }
            tx.set(BALANCE, Counter.encode(balance - 30));
            return balance - 30;
        });
        assertThat(left).isEqualTo(70);
        assertThat(webtable.read(Bytes.utf8("account/ada")).flatMap(row -> row.value(BALANCE)))
                .contains(Counter.encode(70));
    }
}
