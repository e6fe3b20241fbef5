package bt.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.Limits;
import bt.model.Row;
import bt.model.RowMutation;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What reads and writes one row at once. */
class TransactionTest {
    private static final Bytes ROW = Bytes.utf8("r");
    private static final ColumnKey COUNT = ColumnKey.of("anchor", "count");
    private static final ColumnKey OTHER = ColumnKey.of("contents", "other");

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("webtable");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    /** Every second answer to a write is lost, so every write is sent again. */
    private void loseAnswers() {
        AtomicInteger writes = new AtomicInteger();
        cluster.fates((to, request) -> request.kind() == Request.Kind.MUTATE && writes.getAndIncrement() % 2 == 0
                ? Fate.ANSWER_LOST
                : Fate.DELIVERED);
    }

    private Optional<Bytes> value(ColumnKey column) throws Exception {
        return table.read(ROW).flatMap(row -> row.value(column));
    }

    @Test
    void countersAndAppendsHappenOnceAndTellWhatIsThere() throws Exception {
        loseAnswers();
        assertThat(table.increment(ROW, COUNT, 5)).isEqualTo(5);
        assertThat(table.increment(ROW, COUNT, -7)).isEqualTo(-2);
        assertThat(table.append(ROW, OTHER, Bytes.utf8("ab"))).isEqualTo(2);
        assertThat(table.append(ROW, OTHER, Bytes.utf8("c"))).isEqualTo(3);
        assertThat(value(COUNT)).contains(Counter.encode(-2));
        assertThat(value(OTHER)).contains(Bytes.utf8("abc"));
        cluster.fates((to, request) -> Fate.DELIVERED);
        assertThatThrownBy(() -> table.increment(ROW, OTHER, 1))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("a value of 3 bytes is no counter");
    }

    /** Who is always overtaken is told what that comes from, and not that servers are to be looked at. */
    @Test
    void aTransactionThatIsOvertakenEachTimeSaysWhatToDo() throws Exception {
        ClientOptions hasty = ClientOptions.DEFAULT.operationTimeout(Duration.ofMillis(300));
        try (Bigtable client = Bigtable.over(cluster, cluster.locks, cluster.scheduler, new SecureRandom(), hasty)) {
            assertThatThrownBy(() -> client.table("webtable").transact(ROW, tx -> {
                        Optional<Bytes> unused = tx.value(COUNT);
                        table.increment(ROW, COUNT, 1);
                        return tx.increment(OTHER, 1);
                    }))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageMatching("table webtable row r: what the transaction read was changed before it wrote"
                            + " \\(attempt [0-9]+, given up after [0-9]+ ms\\): try again later, with fewer who change it at"
                            + " a time, or with a transaction that reads less");
        }
    }

    @Test
    void aModificationAnswersWhatEachIncrementAndAppendHasMadeAndHappensOnce() throws Exception {
        loseAnswers();
        ColumnKey third = ColumnKey.of("contents", "third");
        RowMutation mutation = RowMutation.of(ROW)
                .increment(COUNT, 5)
                .append(OTHER, Bytes.utf8("ab"))
                .set(third, Bytes.utf8("set"))
                .build();
        assertThat(table.modify(mutation))
                .containsExactly(entry(COUNT, Counter.encode(5)), entry(OTHER, Bytes.utf8("ab")));
        assertThat(bigtable.asyncTable("webtable").modify(mutation).get(30, TimeUnit.SECONDS))
                .containsExactly(entry(COUNT, Counter.encode(10)), entry(OTHER, Bytes.utf8("abab")));
        assertThat(value(COUNT)).contains(Counter.encode(10));
        assertThat(value(OTHER)).contains(Bytes.utf8("abab"));
        assertThat(value(third)).contains(Bytes.utf8("set"));
    }

    @Test
    void modificationsOfOneRowComeOneAfterTheOtherWhoeverMakesThem() throws Exception {
        List<CompletableFuture<Map<ColumnKey, Bytes>>> made = new ArrayList<>();
        RowMutation mutation = RowMutation.of(ROW)
                .increment(COUNT, 1)
                .append(OTHER, Bytes.utf8("x"))
                .build();
        for (int i = 0; i < 8; i++) {
            made.add(bigtable.asyncTable("webtable").modify(mutation));
        }
        List<Long> counts = new ArrayList<>();
        for (CompletableFuture<Map<ColumnKey, Bytes>> each : made) {
            Map<ColumnKey, Bytes> values = each.get(30, TimeUnit.SECONDS);
            long count = Counter.decode(requireNonNull(values.get(COUNT)));
            assertThat(requireNonNull(values.get(OTHER)).length()).isEqualTo(count);
            counts.add(count);
        }
        assertThat(counts).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void aModificationOfWhatIsNoCounterIsRefusedWhole() throws Exception {
        table.append(ROW, OTHER, Bytes.utf8("abc"));
        RowMutation wrong =
                RowMutation.of(ROW).increment(COUNT, 1).increment(OTHER, 1).build();
        assertThatThrownBy(() -> table.modify(wrong))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("contents:other")
                .hasMessageContaining("a value of 3 bytes is no counter");
        assertThat(value(COUNT)).isEmpty();
        table.increment(ROW, COUNT, Long.MAX_VALUE);
        RowMutation tooMuch = RowMutation.of(ROW).increment(COUNT, 1).build();
        assertThatThrownBy(() -> table.modify(tooMuch)).isInstanceOf(RejectedException.class);
        RowMutation nothing = RowMutation.of(ROW).deleteRow().build();
        assertThatThrownBy(() -> table.modify(nothing)).isInstanceOf(IllegalArgumentException.class);
        assertThat(bigtable.asyncTable("webtable").modify(nothing))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalArgumentException.class)
                .withMessageContaining("table webtable row " + ROW + ": ")
                .withMessageContaining("has no values to answer");
    }

    @Test
    void aModificationOfWhatCannotBeReadByItsNameIsRefusedWithItsTable() throws Exception {
        Bytes longest = Bytes.wrap(new byte[Limits.NAMED_QUALIFIER_BYTES]);
        Bytes oneMore = Bytes.wrap(new byte[Limits.NAMED_QUALIFIER_BYTES + 1]);
        ColumnKey read = new ColumnKey("contents", longest);
        assertThat(table.modify(RowMutation.of(ROW).append(read, oneMore).build()))
                .containsExactly(entry(read, oneMore));
        RowMutation tooLong = RowMutation.of(ROW)
                .append(new ColumnKey("contents", oneMore), longest)
                .build();
        assertThatThrownBy(() -> table.modify(tooLong))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("table webtable row " + ROW.brief() + " column contents:")
                .hasMessageContaining("a qualifier of 16385 bytes");

        RowMutation.Builder many = RowMutation.of(ROW);
        for (int i = 0; i < 3_000; i++) {
            byte[] name = Arrays.copyOf(("n" + i).getBytes(StandardCharsets.UTF_8), 700);
            many.increment(new ColumnKey("contents", Bytes.wrap(name)), 1);
        }
        RowMutation tooMany = many.build();
        assertThatThrownBy(() -> table.modify(tooMany))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("table webtable row " + ROW.brief())
                .hasMessageContaining("the names of 3000 increments and appends are longer");
    }

    @Test
    void batchesIncrementToo() throws Exception {
        try (BatchWriter batch = table.batch()) {
            for (int i = 0; i < 100; i++) {
                batch.add(RowMutation.of(ROW).increment(COUNT, 1).build());
            }
        }
        assertThat(value(COUNT)).contains(Counter.encode(100));
    }

    @Test
    void aConditionalMutationTellsWhetherSomethingPassed() throws Exception {
        loseAnswers();
        Filter counted = FilterText.parse("column=anchor:count");
        RowMutation first = RowMutation.of(ROW).set(COUNT, Counter.encode(1)).build();
        RowMutation mark =
                RowMutation.of(ROW).set("contents", "other", "was there").build();
        assertThat(table.apply(ConditionalMutation.when(counted, mark))).isFalse();
        assertThat(table.read(ROW)).isEmpty();
        assertThat(table.apply(ConditionalMutation.unless(counted, first))).isFalse();
        assertThat(table.apply(ConditionalMutation.unless(counted, first).otherwise(mark)))
                .isTrue();
        assertThat(value(COUNT)).contains(Counter.encode(1));
        assertThat(table.apply(ConditionalMutation.when(counted, mark).otherwise(first)))
                .isTrue();
        assertThat(value(OTHER)).contains(Bytes.utf8("was there"));
    }

    @Test
    void aTransactionRunsAgainWhenWhatItReadHasChanged() throws Exception {
        List<Long> seen = new ArrayList<>();
        long result = table.transact(ROW, tx -> {
            long count = tx.value(COUNT).map(Counter::decode).orElse(0L);
            seen.add(count);
            if (seen.size() < 3) {
                table.increment(ROW, COUNT, 10);
            }
            assertThat(tx.value(COUNT).map(Counter::decode).orElse(0L))
                    .as("the same filter shows the same")
                    .isEqualTo(count);
            tx.set(COUNT, Counter.encode(count + 1));
            return count + 1;
        });
        assertThat(seen).containsExactly(0L, 10L, 20L);
        assertThat(result).isEqualTo(21);
        assertThat(value(COUNT)).contains(Counter.encode(21));
    }

    @Test
    void whatATransactionDidNotReadMayChange() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        table.transact(ROW, tx -> {
            runs.incrementAndGet();
            Optional<Bytes> count = tx.value(COUNT);
            table.apply(RowMutation.of(ROW).set(OTHER, Bytes.utf8("elsewhere")).build());
            tx.set(COUNT, Counter.encode(1));
            return count;
        });
        assertThat(runs).hasValue(1);
    }

    /** Both columns, which nobody ever writes one by one. */
    private void writeBoth(String value) throws Exception {
        table.apply(RowMutation.of(ROW)
                .set("anchor", "count", value)
                .set("contents", "other", value)
                .build());
    }

    /** Reads both, one after the other; before the second read of its first run somebody else writes them. */
    private <T> T overtaken(List<Boolean> runs, RowTransaction<T> different) throws Exception {
        writeBoth("1");
        return table.transact(ROW, tx -> {
            Optional<Bytes> count = tx.value(COUNT);
            if (runs.isEmpty()) {
                table.apply(RowMutation.of(ROW)
                        .set("anchor", "count", "2")
                        .set("contents", "other", "2")
                        .build());
            }
            runs.add(count.equals(tx.value(OTHER)));
            return different.run(tx);
        });
    }

    @Test
    void whatATransactionDecidesWithoutAWriteRestsOnOneMoment() throws Exception {
        List<Boolean> runs = new ArrayList<>();
        Bytes decided = overtaken(runs, tx -> tx.value(COUNT).orElseThrow());
        assertThat(decided).isEqualTo(Bytes.utf8("2"));
        assertThat(runs).containsExactly(false, true);
    }

    @Test
    void whatATransactionThrowsRestsOnOneMoment() throws Exception {
        List<Boolean> runs = new ArrayList<>();
        String found = overtaken(runs, tx -> {
            tx.increment(ColumnKey.of("anchor", "more"), 1);
            if (!runs.get(runs.size() - 1)) {
                throw new IllegalStateException("half of a write");
            }
            return "whole";
        });
        assertThat(found).isEqualTo("whole");
        assertThat(runs).containsExactly(false, true);
        assertThat(value(ColumnKey.of("anchor", "more"))).contains(Counter.encode(1));

        List<Boolean> again = new ArrayList<>();
        assertThatThrownBy(() -> overtaken(again, tx -> {
                    throw new RejectedException(
                            again.get(again.size() - 1) ? "whole" : "half of a write", "ask for another");
                }))
                .isInstanceOf(RejectedException.class)
                .hasMessage("whole: ask for another");
        assertThat(again).containsExactly(false, true);
    }

    @Test
    void readsOfOneMomentAreAskedForAgainOnlyWhereThereAreSeveral() throws Exception {
        writeBoth("1");
        AtomicInteger reads = new AtomicInteger();
        cluster.fates((to, request) -> {
            reads.addAndGet(request.kind() == Request.Kind.SCAN ? 1 : 0);
            return Fate.DELIVERED;
        });
        Optional<Bytes> one = table.transact(ROW, tx -> tx.value(COUNT));
        assertThat(one).contains(Bytes.utf8("1"));
        assertThat(reads.getAndSet(0)).isEqualTo(1);
        IllegalStateException failure = new IllegalStateException("so it is");
        assertThatThrownBy(() -> table.transact(ROW, tx -> {
                    Optional<Bytes> unused = tx.value(COUNT);
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(reads.getAndSet(0)).isEqualTo(1);
        int written = table.transact(ROW, tx -> {
            Optional<Bytes> unused = tx.value(COUNT).or(() -> Optional.empty());
            Optional<Bytes> other = tx.value(OTHER);
            tx.set(COUNT, Bytes.utf8("2"));
            return other.isPresent() ? 1 : 0;
        });
        assertThat(written).isEqualTo(1);
        assertThat(reads.getAndSet(0)).as("the write looks").isEqualTo(2);
        int found = table.transact(
                ROW, tx -> tx.value(COUNT).isPresent() && tx.value(OTHER).isPresent() ? 1 : 0);
        assertThat(found).isEqualTo(1);
        assertThat(reads.getAndSet(0)).isEqualTo(3);
    }

    /** What it decided is not known to be so; why it gave up is what its caller asks for. */
    @Test
    void whatCannotBeReadAgainIsNotTold() throws Exception {
        writeBoth("1");
        ClientOptions hasty = ClientOptions.DEFAULT.operationTimeout(Duration.ofMillis(300));
        IllegalStateException failure = new IllegalStateException("so it seems");
        try (Bigtable client = Bigtable.over(cluster, cluster.locks, cluster.scheduler, new SecureRandom(), hasty)) {
            Table asked = client.table("webtable");
            for (boolean throwing : new boolean[] {false, true}) {
                cluster.fates((to, request) -> Fate.DELIVERED);
                assertThatThrownBy(() -> asked.transact(ROW, tx -> {
                            Optional<Bytes> count = tx.value(COUNT);
                            Optional<Bytes> other = tx.value(OTHER);
                            cluster.fates((to, request) ->
                                    request.kind() == Request.Kind.SCAN ? Fate.ANSWER_LOST : Fate.DELIVERED);
                            if (throwing) {
                                throw failure;
                            }
                            return count.equals(other);
                        }))
                        .isInstanceOf(throwing ? IllegalStateException.class : UnavailableException.class);
            }
        }
    }

    @Test
    void aTransactionIsAppliedOnceThoughItsAnswersAreLost() throws Exception {
        loseAnswers();
        for (int i = 0; i < 5; i++) {
            table.transact(ROW, tx -> {
                long count = tx.value(COUNT).map(Counter::decode).orElse(0L);
                return tx.set(COUNT, Counter.encode(count + 1));
            });
        }
        assertThat(value(COUNT)).contains(Counter.encode(5));
    }

    @Test
    void aTransactionChangesItsRowInEveryWay() throws Exception {
        ColumnKey old = ColumnKey.of("contents", "old");
        ColumnKey count = ColumnKey.of("contents", "count");
        table.apply(RowMutation.of(ROW)
                .set(OTHER, 10, Bytes.utf8("ten"))
                .set(OTHER, 20, Bytes.utf8("twenty"))
                .set(old, 10, Bytes.utf8("old"))
                .set("anchor", "a", "CNN")
                .build());
        int wasThere = table.transact(ROW, tx -> {
            tx.deleteVersion(OTHER, 20).set(OTHER, 15, Bytes.utf8("fifteen"));
            tx.deleteColumn(old).deleteFamily("anchor").increment(count, 3);
            return tx.read().orElseThrow().cells().size();
        });
        assertThat(wasThere).isEqualTo(4);
        Row row = table.read(ROW).orElseThrow();
        assertThat(row.value(count)).contains(Counter.encode(3));
        assertThat(row.cells())
                .extracting(cell -> cell.value().toUtf8())
                .hasSize(3)
                .contains("fifteen", "ten");
        table.transact(ROW, tx -> tx.deleteRow());
        assertThat(table.read(ROW)).isEmpty();
        table.transact(ROW, tx -> tx.append(OTHER, Bytes.utf8("new")));
        assertThat(value(OTHER)).contains(Bytes.utf8("new"));
    }

    @Test
    void aTransactionDeletesARangeOfVersions() throws Exception {
        RowMutation.Builder versions = RowMutation.of(ROW);
        for (long timestamp = 1; timestamp <= 3; timestamp++) {
            versions.set(OTHER, timestamp, Bytes.utf8("at " + timestamp));
        }
        table.apply(versions.build());
        table.transact(ROW, tx -> tx.deleteVersions(OTHER, 2, 3));
        assertThat(value(OTHER)).contains(Bytes.utf8("at 1"));
    }

    @Test
    void aHundredFirstReadOfATransactionIsRefusedAtOnce() throws Exception {
        assertThatThrownBy(() -> table.transact(ROW, tx -> {
                    for (int i = 0; i < 101; i++) {
                        Optional<Bytes> unused = tx.value(ColumnKey.of("contents", "q" + i));
                    }
                    return 0;
                }))
                .isInstanceOf(RejectedException.class)
                .hasMessage("table webtable row r: more than 100 different filters read in one transaction: read more"
                        + " with each, as a filter of several columns does, or the whole row");
        int absent = table.transact(ROW, tx -> {
            int found = 0;
            for (int i = 0; i < 200; i++) {
                found += tx.value(ColumnKey.of("contents", "q" + i % 100)).isEmpty() ? 1 : 0;
            }
            tx.set(COUNT, Counter.encode(found));
            return found;
        });
        assertThat(absent).isEqualTo(200);
    }

    /** They all go with its write, which a server would refuse. */
    @Test
    void regularExpressionsOfMoreStepsThanARequestMayHaveAreRefusedAtOnce() throws Exception {
        List<String> read = new ArrayList<>();
        assertThatThrownBy(() -> table.transact(ROW, tx -> {
                    for (int i = 0; i < 20; i++) {
                        String large = manySteps(i);
                        read.add(large);
                        Optional<Row> unused = tx.read(FilterText.parse(large));
                    }
                    return 0;
                }))
                .isInstanceOf(RejectedException.class)
                .hasMessage(
                        "table webtable row r: the regular expressions of the filters read in one transaction unfold"
                                + " to 218900 steps, more than 200000: repeat less, or read more with each");
        assertThat(read).hasSize(11);
    }

    /** Ten regular expressions of 1,990 steps each, which no other number has. */
    private static String manySteps(int number) {
        List<String> each = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            each.add("row~'" + (char) ('A' + number) + i + "x{991}'");
        }
        return String.join(" | ", each);
    }

    /** As a server counts them in the write. */
    @Test
    void equalRegularExpressionsOfWhatATransactionReadsCountOnce() throws Exception {
        int read = table.transact(ROW, tx -> {
            for (int i = 0; i < 20; i++) {
                Optional<Row> unused = tx.read(FilterText.parse(manySteps(0) + " | row=" + i));
            }
            tx.set(COUNT, Counter.encode(1));
            return 20;
        });
        assertThat(read).isEqualTo(20);
        assertThat(table.read(ROW)).isPresent();
    }

    @Test
    void aReadThatFailedCountsNothingInItsTransaction() throws Exception {
        Service server = cluster.server(3);
        cluster.listen(
                MemoryCluster.address(3),
                (caller, request) -> request instanceof Request.Scan scan
                                && FilterText.print(scan.filter()).contains("refused")
                        ? CompletableFuture.failedFuture(new RejectedException("refused here", "ask for another"))
                        : server.handle(caller, request));
        int failed = table.transact(ROW, tx -> {
            int count = 0;
            for (int i = 0; i < 20; i++) {
                try {
                    Optional<Row> unused = tx.read(FilterText.parse("label(refused) & (" + manySteps(i) + ")"));
                } catch (RejectedException refused) {
                    assertThat(refused).hasMessageContaining("refused here");
                    count++;
                }
            }
            Optional<Row> unused = tx.read(FilterText.parse(manySteps(0)));
            tx.set(COUNT, Counter.encode(1));
            return count;
        });
        assertThat(failed).isEqualTo(20);
        assertThat(table.increment(ROW, COUNT, 0)).isEqualTo(1);
    }

    @Test
    void whatATransactionThrowsEndsItAndNothingIsWritten() throws Exception {
        assertThatThrownBy(() -> table.transact(ROW, tx -> {
                    tx.set(COUNT, Counter.encode(1));
                    throw new RejectedException("not with us", "ask for another");
                }))
                .isInstanceOf(RejectedException.class)
                .hasMessage("not with us: ask for another");
        Optional<Row> row = table.read(ROW);
        assertThat(row).isEmpty();
        assertThat(table.<Boolean>transact(ROW, tx -> tx.read().isEmpty())).isTrue();
    }
}
