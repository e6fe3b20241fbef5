package bt.thrift.gateway;

import static bt.thrift.gateway.GatewayCluster.rejected;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import bt.thrift.gen.Append;
import bt.thrift.gen.Cell;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.ConditionalMutation;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Family;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Increment;
import bt.thrift.gen.Modified;
import bt.thrift.gen.MutationResult;
import bt.thrift.gen.Outcome;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.SetCell;
import bt.thrift.gen.Table;
import bt.thrift.gen.Timestamps;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the library's writes can, through a gateway, over a whole cluster. */
class WritesIT {
    private static final Column COLUMN = new Column("either", text("q"));

    private static GatewayCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = GatewayCluster.start();
        List<Family> families = List.of(
                new Family("either"),
                new Family("server").setTimestamps(Timestamps.SERVER).setPurgeMicros(3_600_000_000L),
                new Family("client").setTimestamps(Timestamps.CLIENT));
        cluster.calls().createTable(new Table("t", families), List.of(text("m")));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aFamilySaysWhoGivesItsTimestamps() throws TException {
        assertThat(cluster.calls().listTables())
                .filteredOn(table -> table.getName().equals("t"))
                .flatExtracting(Table::getFamilies)
                .containsExactly(
                        new Family("either"),
                        new Family("server").setTimestamps(Timestamps.SERVER).setPurgeMicros(3_600_000_000L),
                        new Family("client").setTimestamps(Timestamps.CLIENT));

        Column server = new Column("server", text("q"));
        Column ofClient = new Column("client", text("q"));
        assertThat(mutate("stamped", Change.setCell(new SetCell(server, text("v")))))
                .isPositive();
        assertThat(mutate("stamped", Change.setCell(new SetCell(ofClient, text("v")).setTimestamp(7))))
                .isZero();
        rejected(
                () -> mutate("stamped", Change.setCell(new SetCell(server, text("v")).setTimestamp(7))),
                "server gives");
        rejected(() -> mutate("stamped", Change.setCell(new SetCell(ofClient, text("v")))), "clients give");
    }

    @Test
    void incrementsReturnTheSumAndAppendsTheLength() throws TException {
        Column text = new Column("either", text("text"));

        assertThat(mutate("counted", Change.increment(new Increment(COLUMN, 40))))
                .isEqualTo(40);
        assertThat(mutate("counted", Change.increment(new Increment(COLUMN, 2))))
                .isEqualTo(42);
        assertThat(mutate("counted", Change.append(new Append(text, text("ab")))))
                .isEqualTo(2);
        assertThat(mutate("counted", Change.append(new Append(text, text("cde")))))
                .isEqualTo(5);

        assertThat(newest("counted", COLUMN).getLong()).isEqualTo(42);
        assertThat(newest("counted", text)).isEqualTo(text("abcde"));
        rejected(() -> mutate("counted", Change.increment(new Increment(text, 1))), "");
        rejected(() -> mutate("counted", Change.increment(new Increment(COLUMN, Long.MAX_VALUE))), "");
    }

    @Test
    void severalIncrementsAndAppendsAnswerWhatTheyMake() throws TException {
        Column log = new Column("either", text("log"));
        Column last = new Column("either", text("last"));
        RowMutation visit = new RowMutation(
                text("visited"),
                List.of(
                        Change.append(new Append(log, text("in,"))),
                        Change.setCell(new SetCell(last, text("now"))),
                        Change.increment(new Increment(COLUMN, 3))));

        assertThat(cluster.calls().modify("t", visit))
                .containsExactly(
                        new Modified(log).setValue(text("in,")),
                        new Modified(COLUMN).setValue(count(3)).setSum(3));
        assertThat(cluster.calls().modify("t", visit))
                .containsExactly(
                        new Modified(log).setValue(text("in,in,")),
                        new Modified(COLUMN).setValue(count(6)).setSum(6));

        assertThat(newest("visited", last)).isEqualTo(text("now"));
        RowMutation none = new RowMutation(text("visited"), List.of(Change.setCell(new SetCell(last, text("never")))));
        rejected(() -> cluster.calls().modify("t", none), "no increment and no append");
        RowMutation noCounter = new RowMutation(
                text("visited"),
                List.of(Change.append(new Append(last, text("more"))), Change.increment(new Increment(log, 1))));
        rejected(() -> cluster.calls().modify("t", noCounter), "column either:log: a value of 6 bytes is no counter");
        assertThat(newest("visited", last)).isEqualTo(text("now"));
    }

    /** Several callers at one row: each has its own answer, and what all of them add is there once. */
    @Test
    void whatSeveralCallersModifyIsThereOnce() throws Exception {
        long callers = 4;
        long times = 25;
        Column other = new Column("either", text("other"));
        Set<Long> sums = ConcurrentHashMap.newKeySet();
        RowMutation both = new RowMutation(
                text("shared"),
                List.of(Change.increment(new Increment(COLUMN, 1)), Change.increment(new Increment(other, 10))));
        try (ThreadScheduler scheduler = new ThreadScheduler()) {
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                CompletableFuture<Boolean> done = new CompletableFuture<>();
                all.add(done);
                scheduler.start("caller-" + caller, () -> {
                    try (Dialled own = Dialled.to(cluster.gateway().port())) {
                        for (int i = 0; i < times; i++) {
                            List<Modified> made = own.calls().modify("t", both);
                            sums.add(made.get(0).getSum());
                            assertThat(made.get(1).getSum())
                                    .isEqualTo(10 * made.get(0).getSum());
                        }
                        done.complete(true);
                    } catch (TException | AssertionError failed) {
                        done.completeExceptionally(failed);
                    }
                });
            }
            for (CompletableFuture<Boolean> one : all) {
                assertThat(one.get(60, TimeUnit.SECONDS)).isTrue();
            }
        }

        assertThat(sums).hasSize((int) (callers * times));
        assertThat(newest("shared", COLUMN)).isEqualTo(count(callers * times));
    }

    @Test
    void aValueThatNoFrameHoldsIsWrittenAndNotAnswered() throws TException {
        Column log = new Column("either", text("log"));
        ByteBuffer much = ByteBuffer.allocate(9 << 20);
        RowMutation more = new RowMutation(
                text("long"),
                List.of(Change.append(new Append(log, much)), Change.increment(new Increment(COLUMN, 1))));

        assertThat(cluster.calls().modify("t", more).get(0).bufferForValue()).isEqualTo(much);

        assertThat(cluster.calls().modify("t", more))
                .containsExactly(
                        new Modified(log),
                        new Modified(COLUMN).setValue(count(2)).setSum(2));
        assertThat(mutate("long", Change.append(new Append(log, text("end"))))).isEqualTo((18 << 20) + 3);
    }

    private static ByteBuffer count(long count) {
        return ByteBuffer.allocate(Long.BYTES).putLong(0, count);
    }

    @Test
    void oneOfTwoMutationsIsAppliedAsThePredicateSays() throws TException {
        ConditionalMutation claim = new ConditionalMutation(text("lock"))
                .setPredicate(new Filter().setColumns(List.of(COLUMN)))
                .setPasses(List.of(Change.setCell(new SetCell(new Column("either", text("late")), text("yes")))))
                .setOtherwise(List.of(Change.setCell(new SetCell(COLUMN, text("mine")))));

        assertThat(cluster.calls().mutateIf("t", claim)).isFalse();
        assertThat(cluster.calls().mutateIf("t", claim)).isTrue();

        assertThat(cluster.calls().readRow("t", text("lock"), null).getCells())
                .extracting(cell -> new String(cell.getValue(), UTF_8))
                .containsExactly("yes", "mine");
        rejected(() -> cluster.calls().mutateIf("t", new ConditionalMutation(text("lock"))), "changes something");
    }

    @Test
    void ofSeveralMutationsEachHasItsResult() throws TException {
        List<RowMutation> mutations = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            String family = i % 100 == 3 ? "nosuch" : "either";
            Column column = new Column(family, text("q"));
            mutations.add(
                    new RowMutation(text("many" + i % 500), List.of(Change.append(new Append(column, text(i + " "))))));
        }

        List<MutationResult> results = cluster.calls().mutateRows("t", mutations);

        for (int i = 0; i < 2_500; i++) {
            MutationResult result = results.get(i);
            assertThat(result.isSetResult()).isNotEqualTo(i % 100 == 3);
            if (result.isSetError()) {
                assertThat(result.getError().getKind()).isEqualTo(ErrorKind.REJECTED);
                assertThat(result.getError().getOutcome()).isEqualTo(Outcome.NOT_APPLIED);
            }
        }
        assertThat(newest("many499", COLUMN)).isEqualTo(text("499 999 1499 1999 2499 "));
        assertThat(results.get(2_499).getResult()).isEqualTo("499 999 1499 1999 2499 ".length());
    }

    @Test
    void ofMutationsOfWhichOneIsNoneNoneIsApplied() throws TException {
        List<RowMutation> mutations = List.of(
                new RowMutation(text("whole"), List.of(Change.setCell(new SetCell(COLUMN, text("v"))))),
                new RowMutation(text("none"), List.of()));

        rejected(() -> cluster.calls().mutateRows("t", mutations), "a mutation changes something");

        assertThat(cluster.calls().readRow("t", text("whole"), null).getCells()).isEmpty();
    }

    @Test
    void aDroppedTableIsNoMore() throws TException {
        cluster.calls().createTable(new Table("dropped", List.of(new Family("f"))), List.of());

        cluster.calls().dropTable("dropped");

        assertThat(cluster.calls().listTables()).extracting(Table::getName).doesNotContain("dropped");
        rejected(() -> cluster.calls().readRow("dropped", text("r"), null), "dropped");
        rejected(() -> cluster.calls().dropTable("dropped"), "dropped");
    }

    private static ByteBuffer newest(String row, Column column) throws TException {
        Filter filter = new Filter().setColumns(List.of(column)).setVersions(1);
        List<Cell> cells = cluster.calls().readRow("t", text(row), filter).getCells();
        assertThat(cells).hasSize(1);
        return cells.get(0).bufferForValue();
    }

    private static long mutate(String row, Change change) throws TException {
        return cluster.calls().mutate("t", new RowMutation(text(row), List.of(change)));
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }
}
