package bt.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.BatchWriter;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.main.MiniBigtable;
import bt.mapreduce.input.InputCounter;
import bt.mapreduce.output.OutputCounter;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.testing.LimitCases;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Jobs of the real MapReduce application master on YARN, over a real cluster. */
class TableJobIT {
    private static final int ROWS = 300;
    private static final int MILLION = 10 * Limits.CHANGES_PER_MUTATION;
    private static final int LARGE_CELLS = 72;
    private static final ColumnKey PAGE = ColumnKey.of("contents", "");
    private static final ColumnKey LENGTH = ColumnKey.of("length", "");

    private static MiniBigtable cluster;
    private static MiniHadoop hadoop;

    @BeforeAll
    static void start() throws BigtableException {
        cluster = MiniBigtable.start();
        hadoop = new MiniHadoop();
        create("pages", Bytes.utf8("g"), Bytes.utf8("p"));
        create("copy");
        create("webtable");
        cluster.bigtable().admin().createTable(LimitCases.TABLE, List.of(Bytes.utf8("set05000")));
        fill("pages");
        fill("webtable");
    }

    @AfterAll
    static void stop() throws IOException {
        hadoop.close();
        cluster.close();
    }

    @Test
    void aTableIsCopiedThroughTheShuffleThoughAReduceAttemptFails() throws Exception {
        Job job = CopyMapper.job(hadoop.configuration(), cluster.at());

        assertThat(job.waitForCompletion(false)).isTrue();

        Counters counters = job.getCounters();
        assertThat(counters.findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue())
                .isEqualTo(3);
        assertThat(counters.findCounter(JobCounter.NUM_FAILED_REDUCES).getValue())
                .isEqualTo(1);
        assertThat(counters.findCounter(InputCounter.ROWS).getValue()).isEqualTo(ROWS);
        assertThat(counters.findCounter(InputCounter.CELLS).getValue()).isEqualTo(2 * ROWS);
        assertThat(counters.findCounter(OutputCounter.MUTATIONS).getValue()).isEqualTo(ROWS);
        assertThat(counters.findCounter(CopyMapper.Fact.SYSTEM_CLASS_LOADER_KNOWS_BT)
                        .getValue())
                .isZero();
        assertThat(counters.findCounter(CopyMapper.Fact.AVRO_IS_THE_SHIPPED_ONE).getValue())
                .isEqualTo(3);
        assertThat(rows("copy")).isEqualTo(rows("pages"));
    }

    @Test
    void theExampleOfTheDocumentationWritesEveryLength() throws Exception {
        assertThat(PageLengths.job(hadoop.configuration(), cluster.at()).waitForCompletion(false))
                .isTrue();

        assertThat(rows("webtable")).hasSize(ROWS).allSatisfy(row -> {
            int length = row.value(PAGE).orElseThrow().length();
            assertThat(row.value(LENGTH)).isEqualTo(Optional.of(Bytes.utf8(Integer.toString(length))));
        });
    }

    /** More than a request may have; each task has those of its tablet. */
    @Test
    void aJobOverManyNamedRowsFindsThoseThatThereAre() throws Exception {
        for (RowMutation row : LimitCases.rowsOfASet()) {
            cluster.bigtable().table("limits").apply(row);
        }
        LimitCases.checkSet(rows -> {
            Job job = reading("limits", Scan.of(RowSet.rows(rows)));
            assertThat(job.waitForCompletion(false)).isTrue();
            Counters counters = job.getCounters();
            assertThat(counters.findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue())
                    .isEqualTo(2);
            return SeenRows.of(counters);
        });
    }

    @Test
    void aJobOverNoRowsSucceedsWithoutATask() throws Exception {
        Job job = reading("pages", Scan.of(RowSet.NONE));
        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(job.getCounters().findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue())
                .isZero();
        assertThat(job.getCounters().findCounter(InputCounter.ROWS).getValue()).isZero();
    }

    private static Job reading(String table, Scan scan) throws IOException {
        Job job = Job.getInstance(hadoop.configuration(), "reading");
        TableJob.of(job, cluster.at()).read(table, scan, SeenRows.class);
        job.setOutputFormatClass(NullOutputFormat.class);
        job.setNumReduceTasks(0);
        return job;
    }

    @Test
    void aJobOverATableThatDoesNotExistIsRefusedBeforeItStarts() throws Exception {
        Job reads = Job.getInstance(hadoop.configuration());
        TableJob.of(reads, cluster.at())
                .read("nothing", Scan.all(), PageLengths.class)
                .write("copy");
        assertThatThrownBy(reads::submit)
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("table nothing does not exist");

        Job writes = Job.getInstance(hadoop.configuration());
        TableJob.of(writes, cluster.at())
                .read("pages", Scan.all(), PageLengths.class)
                .write("nothing");
        assertThatThrownBy(writes::submit)
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("table nothing does not exist");
    }

    /** More than the quarter of a mapper's heap that a whole row may take, though not more than this JVM holds twice. */
    @Test
    void aRowThatNoMapperHoldsIsReadCellByCell() throws Exception {
        create("large", Bytes.utf8("m"));
        Table large = cluster.bigtable().table("large");
        Bytes value = Bytes.wrap(new byte[1 << 20]);
        for (int cell = 0; cell < LARGE_CELLS; cell++) {
            large.apply(RowMutation.of("long")
                    .set(ColumnKey.of("contents", "q" + cell), 1, value)
                    .build());
        }
        for (String small : List.of("a", "z")) {
            large.apply(RowMutation.of(small).set(PAGE, 1, Bytes.utf8("small")).build());
        }
        Job whole = Job.getInstance(hadoop.configuration());
        whole.setNumReduceTasks(0);
        whole.setMaxMapAttempts(1);
        TableJob.of(whole, cluster.at())
                .read("large", Scan.row("long"), PageLengths.class)
                .write("large");
        assertThat(whole.waitForCompletion(false)).isFalse();

        Job cells = RowSizes.job(hadoop.configuration(), cluster.at());
        assertThat(cells.waitForCompletion(false)).isTrue();

        assertThat(cells.getCounters().findCounter(InputCounter.ROWS).getValue())
                .isEqualTo(3);
        assertThat(cells.getCounters().findCounter(InputCounter.CELLS).getValue())
                .isEqualTo(LARGE_CELLS + 2);
        assertThat(cells.getCounters().findCounter(InputCounter.CELLS_SEEN).getValue())
                .isEqualTo(LARGE_CELLS + 2);
        List<String> sizes = new ArrayList<>();
        try (Scanner scanner = large.scan(Scan.all().column(LENGTH))) {
            for (Row row : scanner) {
                sizes.add(row.key() + " " + row.value(LENGTH).orElseThrow());
            }
        }
        assertThat(sizes).containsExactly("a 5", "long " + LARGE_CELLS * (1 << 20), "z 5");
    }

    @Test
    void aMillionColumnsOfARowAreReadCellByCell() throws Exception {
        create("wide");
        Table wide = cluster.bigtable().table("wide");
        for (int from = 0; from < MILLION; from += Limits.CHANGES_PER_MUTATION) {
            RowMutation.Builder some = RowMutation.of("row");
            for (int i = from; i < from + Limits.CHANGES_PER_MUTATION; i++) {
                some.set(ColumnKey.of("contents", String.format("%07d", i)), 1, Bytes.utf8("v"));
            }
            wide.apply(some.build());
        }
        Job job = Job.getInstance(hadoop.configuration());
        job.setNumReduceTasks(0);
        TableJob.of(job, cluster.at())
                .readCells("wide", Scan.all().family("contents"), RowSizes.class)
                .write("wide");
        assertThat(job.waitForCompletion(false)).isTrue();

        assertThat(job.getCounters().findCounter(InputCounter.CELLS).getValue()).isEqualTo(MILLION);
        assertThat(wide.read(Bytes.utf8("row"), new Filter.Columns(List.of(LENGTH))))
                .hasValueSatisfying(row -> assertThat(row.value(LENGTH)).contains(Bytes.utf8("" + MILLION)));
    }

    @Test
    void aJobOverAClusterThatDoesNotAnswerEndsWithOneLine() throws Exception {
        Job job = Job.getInstance(hadoop.configuration());
        TableJob.of(job, "zk://127.0.0.1:1/main").write("copy");
        assertThatThrownBy(job::submit).isInstanceOf(UnavailableException.class).hasMessageContaining("127.0.0.1:1");
    }

    @Test
    void whatIsShippedIsAllThatAClientNeedsButALogger() throws Exception {
        Set<String> jars = Jars.ofBigtable();
        jars.add(Jars.of(FirstRow.class).toUri().toString());
        jars.add(Jars.of(Logger.class).toUri().toString());
        List<URL> urls = new ArrayList<>();
        for (String jar : jars) {
            urls.add(URI.create(jar).toURL());
        }
        try (URLClassLoader alone =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Object client = Class.forName(FirstRow.class.getName(), true, alone)
                    .getConstructor(String.class, String.class)
                    .newInstance(cluster.at(), "pages");
            assertThat(((Callable<?>) client).call()).isEqualTo("a000");
        }
    }

    private static void create(String table, Bytes... splitRows) throws BigtableException {
        TableSchema draft = TableSchema.draft(table)
                .family("contents", GcRule.KEEP_ALL)
                .family("length", GcRule.KEEP_ALL)
                .build();
        cluster.bigtable().admin().createTable(draft, List.of(splitRows));
    }

    /** Rows from a to z, of each two cells of one column. */
    private static void fill(String name) throws BigtableException {
        Table table = cluster.bigtable().table(name);
        try (BatchWriter batch = table.batch()) {
            for (int i = 0; i < ROWS; i++) {
                String row = String.format("%c%03d", 'a' + i % 26, i);
                batch.add(RowMutation.of(row)
                        .set(PAGE, 1000 + i, Bytes.utf8("x".repeat(i)))
                        .set(PAGE, 2000 + i, Bytes.utf8("y".repeat(i + 1)))
                        .build());
            }
        }
    }

    private static List<Row> rows(String table) throws BigtableException {
        List<Row> rows = new ArrayList<>();
        try (Scanner scanner = cluster.bigtable().table(table).scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                rows.add(row.get());
            }
        }
        return rows;
    }
}
