package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.doctor.Diagnosis;
import bt.doctor.Finding;
import bt.doctor.Place;
import bt.doctor.Rule;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.WriteResult;
import bt.testing.MemoryCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the checkers of {@code bt chaos} are there for is done to their rows behind their backs, and each finds it. */
class PlantedTest {
    private static final int HOST = 3;
    private static final long SERVER_MICROS = 1_000_000;
    private static final ColumnKey LEFT = ColumnKey.of(Register.FAMILY, "left");
    private static final ColumnKey RIGHT = ColumnKey.of(Register.FAMILY, "right");
    private static final ColumnKey NUMBER = ColumnKey.of(Register.FAMILY, "number");

    private final Tally tally = new Tally();
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft =
                TableSchema.draft("t").family(Register.FAMILY, GcRule.KEEP_ALL).build();
        cluster.table(4, draft, List.of(), HOST);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void aRegisterThatNobodyTouchedIsInOrder() throws Exception {
        written(1, 2).check();
        assertThat(tally.complaints()).isEmpty();
    }

    @Test
    void aRegisterThatIsGoneIsLost() throws Exception {
        Register register = written(1, 2);
        table.apply(RowMutation.of("r").deleteRow().build());
        register.check();
        // Two writes of two columns each.
        assertThat(tally.lostWrites()).isEqualTo(4);
        assertThat(tally.complaints()).anyMatch(words -> words.contains("not linearizable"));
    }

    @Test
    void twoColumnsThatAreReadApartAreFound() throws Exception {
        Register register = written(1, 2);
        table.apply(RowMutation.of("r").set(RIGHT, Bytes.utf8("1")).build());
        register.check();
        assertThat(tally.complaints()).anyMatch(words -> words.contains("which are written together"));
    }

    @Test
    void aWriteThatIsThereTwiceIsFound() throws Exception {
        Register register = written(1, 2);
        table.apply(RowMutation.of("r")
                .set(LEFT, Bytes.utf8("2"))
                .set(RIGHT, Bytes.utf8("2"))
                .build());
        register.check();
        assertThat(tally.complaints()).anyMatch(words -> words.contains("was written once at"));
    }

    @Test
    void aValueThatNobodyWroteIsFound() throws Exception {
        Register register = written(1);
        table.apply(RowMutation.of("r")
                .set(LEFT, Bytes.utf8("7"))
                .set(RIGHT, Bytes.utf8("7"))
                .build());
        register.check();
        assertThat(tally.complaints()).anyMatch(words -> words.contains("has 7, which nobody wrote"));
    }

    @Test
    void aWriteThatWasRefusedAndIsThereIsFound() throws Exception {
        applyAndRefuse();
        Register register = new Register(table, "r", clock(new long[1]), new Availability(), tally);
        assertThat(register.write(1)).isFalse();
        register.check();
        assertThat(tally.complaints())
                .anyMatch(words -> words.contains("was told REJECTED: planted"))
                .anyMatch(words -> words.contains("left value 1 was refused as not applied and is at"))
                .anyMatch(words -> words.contains("right value 1 was refused as not applied and is at"));
    }

    @Test
    void timestampsThatFallWhileTimeGoesOnAreFound() throws Exception {
        Register register = written(1, 2);
        // Long before 1, which was acknowledged before 2 was written.
        table.apply(RowMutation.of("r").set(LEFT, 5, Bytes.utf8("2")).build());
        register.check();
        assertThat(tally.complaints()).anyMatch(words -> words.contains("is newer than one that was written after it"));
    }

    @Test
    void aChainThatNobodyTouchedIsWhole() throws Exception {
        laid(5).check();
        assertThat(tally.complaints()).isEmpty();
    }

    @Test
    void anyLinkThatIsGoneIsLost() throws Exception {
        ChainChore chain = laid(5);
        // Those that are named, and the last, which nobody names.
        for (Bytes key : keys()) {
            table.apply(RowMutation.of(key).deleteRow().build());
        }
        chain.check();
        assertThat(tally.lostWrites()).isEqualTo(5);
    }

    @Test
    void aLinkThatWasRefusedAndIsThereIsFound() throws Exception {
        applyAndRefuse();
        tally.quotaBegins();
        laid(1).check();
        assertThat(tally.complaints()).singleElement().asString().endsWith("was refused as not applied and is there");
    }

    @Test
    void aLinkThatNobodyLaidIsFound() throws Exception {
        ChainChore chain = laid(2);
        table.apply(RowMutation.of("planted")
                .set(Register.FAMILY, "previous", "")
                .set(Register.FAMILY, "writer", "1")
                .build());
        chain.check();
        assertThat(tally.complaints()).containsExactly("chain 1 row planted was written by nobody");
    }

    @Test
    void transfersThatNobodyTouchedAddUp() throws Exception {
        moved(5).check();
        assertThat(tally.complaints()).isEmpty();
    }

    @Test
    void anAmountThatCameFromNowhereIsFound() throws Exception {
        TransferChore transfers = moved(5);
        table.apply(RowMutation.of("accounts")
                .set(ColumnKey.of(Register.FAMILY, "account-0"), Bytes.utf8("123456"))
                .build());
        transfers.check();
        assertThat(tally.complaints()).anyMatch(words -> words.contains("the sum of"));
    }

    @Test
    void aTransferThatIsGoneIsLost() throws Exception {
        TransferChore transfers = moved(5);
        table.apply(RowMutation.of("accounts").deleteColumn(NUMBER).build());
        transfers.check();
        assertThat(tally.lostWrites()).isEqualTo(5);
    }

    @Test
    void aTransferThatStandsInAnothersPlaceIsFound() throws Exception {
        TransferChore transfers = moved(2);
        table.apply(
                RowMutation.of("accounts").set(NUMBER, Bytes.utf8("7:planted")).build());
        transfers.check();
        assertThat(tally.complaints())
                .containsExactly(
                        "t/accounts transfer 7:planted stands at place 3",
                        "t/accounts has transfer 7:planted, which nobody made");
    }

    @Test
    void aTransferThatWasRefusedAndIsThereIsFound() throws Exception {
        applyAndRefuse();
        moved(1).check();
        assertThat(tally.refusedWrites()).isOne();
        assertThat(tally.complaints())
                .containsExactly(
                        "transfers-1 was told REJECTED: planted: ask for another",
                        "t/accounts transfer 1:transfers-1 was refused as not applied and is there");
    }

    @Test
    void transfersOfTwoClientsAddUp() throws Exception {
        Accounts accounts = accounts();
        TransferChore one = chore("transfers", accounts);
        TransferChore other = chore("others", accounts);
        for (TransferChore each : List.of(one, one, one, other, one)) {
            assertThat(each.step()).isTrue();
        }
        one.check();
        assertThat(tally.complaints()).isEmpty();
        assertThat(tally.acknowledgedWrites()).isEqualTo(5);
    }

    @Test
    void aTransferThatNobodyMadeIsFound() throws Exception {
        TransferChore transfers = moved(2);
        table.apply(
                RowMutation.of("accounts").set(NUMBER, Bytes.utf8("3:planted")).build());
        transfers.check();
        assertThat(tally.complaints()).containsExactly("t/accounts has transfer 3:planted, which nobody made");
    }

    @Test
    void anAmountThatWasThereForATimeIsFound() throws Exception {
        ColumnKey account = ColumnKey.of(Register.FAMILY, "account-0");
        TransferChore transfers = moved(2);
        table.apply(RowMutation.of("accounts").set(account, 1, Bytes.utf8("7")).build());
        transfers.check();
        assertThat(tally.complaints()).containsExactly("the sum of t/accounts at 1 is 3007, not 4000");
    }

    /** As one whose condition did not hold. */
    @Test
    void aTransferThatWasRefusedThoughNobodyWasFasterIsFound() throws Exception {
        Accounts accounts = accounts();
        TransferChore one = chore("transfers", accounts);
        assertThat(one.step()).isTrue();
        Service server = cluster.server(HOST);
        cluster.listen(
                MemoryCluster.address(HOST),
                (caller, request) -> request instanceof Request.Mutate
                        ? CompletableFuture.completedFuture(new Answer.Mutated(List.of(WriteResult.applied(0))))
                        : server.handle(caller, request));
        assertThat(one.step()).isTrue();
        assertThat(tally.refusedWrites()).isOne();
        cluster.listen(MemoryCluster.address(HOST), server);
        one.check();
        assertThat(tally.complaints())
                .containsExactly("t/accounts transfer 2:transfers-2 was refused, and nobody was faster");
    }

    /** The other one read the row before, and has the number. */
    @Test
    void aTransferOfWhichSomebodyWasFasterMayBeRefused() throws Exception {
        Accounts accounts = accounts();
        TransferChore one = chore("transfers", accounts);
        TransferChore other = chore("others", accounts);
        assertThat(one.step()).isTrue();
        Service server = cluster.server(HOST);
        boolean[] stepped = new boolean[1];
        cluster.listen(MemoryCluster.address(HOST), (caller, request) -> {
            if (request instanceof Request.Mutate && !stepped[0]) {
                stepped[0] = true;
                step(other);
            }
            return server.handle(caller, request);
        });
        assertThat(one.step()).isTrue();
        assertThat(tally.refusedWrites()).isOne();
        one.check();
        assertThat(tally.complaints()).isEmpty();
    }

    private static void step(Chore chore) {
        try {
            assertThat(chore.step()).isTrue();
        } catch (InterruptedException hurried) {
            throw new AssertionError(hurried);
        }
    }

    @Test
    void aCounterThatNobodyTouchedAddsUp() throws Exception {
        counted(5, 7).check();
        assertThat(tally.complaints()).isEmpty();
    }

    @Test
    void anAdditionThatIsGoneIsLost() throws Exception {
        SharedCounter counter = counted(5, 7);
        table.apply(RowMutation.of("counter").deleteRow().build());
        counter.check();
        assertThat(tally.lostWrites()).isEqualTo(2);
    }

    @Test
    void anAdditionThatIsThereTwiceIsFound() throws Exception {
        SharedCounter counter = counted(5, 7);
        table.increment(Bytes.utf8("counter"), SharedCounter.COUNT, 7);
        counter.check();
        assertThat(tally.complaints()).anyMatch(words -> words.contains("from 12 to 19, which nobody added, or twice"));
    }

    @Test
    void aTotalThatNobodyAddedIsFound() throws Exception {
        SharedCounter counter = counted(5, 7);
        table.increment(Bytes.utf8("counter"), SharedCounter.COUNT, -3);
        counter.check();
        assertThat(tally.complaints()).anyMatch(words -> words.contains("from 12 to 9"));
    }

    @Test
    void anArchiveThatNobodyTouchedIsWhole() throws Exception {
        archived();
        assertThat(Archive.read(bigtable)).isEmpty();
    }

    @Test
    void aValueOfTheArchiveThatIsAnotherIsFound() throws Exception {
        archived()
                .apply(RowMutation.of("page-00100")
                        .set(Register.FAMILY, "page", "another")
                        .build());
        assertThat(Archive.read(bigtable)).contains("archive row page-00100 is not as it was written");
    }

    @Test
    void rowsThatTheArchiveDoesNotHaveAreFound() throws Exception {
        Table archive = archived();
        archive.apply(RowMutation.of("page-00199").deleteRow().build());
        assertThat(Archive.read(bigtable)).contains("archive has 199 rows of 200");
        archive.apply(RowMutation.of("page-00007").deleteRow().build());
        assertThat(Archive.read(bigtable)).contains("archive row page-00008 is not as it was written");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void errorsThatNoFireExcusesAreFound(Kind kind) {
        Answers.complain("read", false, tally, BigtableException.of(kind, "planted", Outcome.NOT_APPLIED, 1));
        boolean excused = kind == Kind.UNAVAILABLE || kind == Kind.OVERLOADED;
        assertThat(tally.complaints()).isEqualTo(excused ? List.of() : List.of("read was told " + kind + ": planted"));
    }

    @Test
    void aTimestampThatIsTwoMinutesOffIsFound() {
        long[] ahead = new long[1];
        Register register = new Register(table, "r", clock(ahead), new Availability(), tally);
        for (long near : List.of(0L, 50_000_000L, -50_000_000L)) {
            ahead[0] = near;
            assertThat(register.write(near + 1)).isTrue();
        }
        assertThat(tally.complaints()).isEmpty();
        for (long far : List.of(120_000_000L, -120_000_000L)) {
            ahead[0] = far;
            assertThat(register.write(far)).isTrue();
        }
        assertThat(tally.complaints())
                .hasSize(2)
                .anyMatch(words -> words.contains("value 120000000 was given the time"))
                .anyMatch(words -> words.contains("value -120000000 was given the time"));
    }

    /** As soon as it is told, and again when the quota was lifted for long. */
    @Test
    void aWriteThatIsRejectedWithoutAQuotaIsFound() throws Exception {
        applyAndRefuse();
        ChainChore chain = new ChainChore(1, table, new SplittableRandom(1), cluster.scheduler, tally);
        assertThat(chain.step()).isFalse();
        assertThat(tally.complaints()).containsExactly("chain 1 was told REJECTED: planted: ask for another");
        tally.quotaBegins();
        assertThat(chain.step()).isFalse();
        long now = cluster.scheduler.clock().nanos();
        tally.quotaIsLifted(now);
        assertThat(chain.step()).isFalse();
        assertThat(tally.anomalyCount()).isOne();
        assertThat(tally.rejectedWrites()).isEqualTo(2);
        tally.quotaBegins();
        tally.quotaIsLifted(now - QuotaTime.HEAR_NANOS - 1);
        assertThat(chain.step()).isFalse();
        assertThat(tally.anomalyCount()).isEqualTo(2);
    }

    @Test
    void whatTheDoctorLeftOutIsAnAnomaly() {
        Finding finding = new Finding(Rule.TILING, new Place("t", Optional.empty(), ""), "planted");
        Diagnosis diagnosis = new Diagnosis(List.of(finding), List.of(), List.of("not every row"), 0, 0, 0);
        assertThat(Campaign.findings(diagnosis, tally)).containsExactly(finding.toString());
        assertThat(tally.complaints()).containsExactly("the doctor left something out: not every row");
        assertThat(tally.anomalyCount()).isEqualTo(1);
    }

    /** For {@code bt chaos} waits until every client was answered. */
    @Test
    void aStepThatWasRefusedWasNotAnswered() throws Exception {
        TransferChore transfers = chore("transfers");
        assertThat(transfers.step()).isTrue();
        cluster.listen(
                MemoryCluster.address(HOST),
                (caller, request) ->
                        CompletableFuture.failedFuture(new RejectedException("planted", "ask for another")));
        assertThat(transfers.step()).isFalse();
        assertThat(new ChainChore(1, table, new SplittableRandom(1), cluster.scheduler, tally).step())
                .isFalse();
        SharedCounter counter = new SharedCounter(table, "counter", cluster.scheduler.clock(), tally);
        Register register = new Register(table, "r", clock(new long[1]), new Availability(), tally);
        for (int i = 1; i < 10; i++) {
            assertThat(new CounterChore("c", counter, true, new SplittableRandom(i), cluster.scheduler).step())
                    .isFalse();
            assertThat(new RegisterChore(
                                    "r",
                                    List.of(register),
                                    true,
                                    new AtomicLong(),
                                    new SplittableRandom(i),
                                    cluster.scheduler)
                            .step())
                    .isFalse();
        }
    }

    /** From now on the server applies what it is sent, and says that it did not. */
    private void applyAndRefuse() {
        Service server = cluster.server(HOST);
        cluster.listen(MemoryCluster.address(HOST), (caller, request) -> server.handle(caller, request)
                .thenApply(PlantedTest::refused));
    }

    private static Answer refused(Answer answer) {
        return answer instanceof Answer.Mutated mutated
                ? new Answer.Mutated(mutated.results().stream()
                        .map(result -> WriteResult.failed(new RejectedException("planted", "ask for another")))
                        .toList())
                : answer;
    }

    private Table archived() throws BigtableException, InterruptedException {
        cluster.table(5, Archive.draft(), List.of(), HOST);
        Table archive = bigtable.table(Archive.TABLE);
        Archive.fill(archive);
        return archive;
    }

    private SharedCounter counted(long... amounts) {
        SharedCounter counter = new SharedCounter(table, "counter", cluster.scheduler.clock(), tally);
        for (long amount : amounts) {
            counter.add(amount);
            counter.read();
        }
        return counter;
    }

    private Register written(long... values) {
        Register register = new Register(table, "r", clock(new long[1]), new Availability(), tally);
        for (long value : values) {
            assertThat(register.write(value)).isTrue();
            assertThat(register.read()).isTrue();
        }
        return register;
    }

    private ChainChore laid(int links) throws InterruptedException {
        ChainChore chain = new ChainChore(1, table, new SplittableRandom(1), cluster.scheduler, tally);
        for (int i = 0; i < links; i++) {
            chain.step();
        }
        return chain;
    }

    /** As servers of a cluster in memory have it, so many microseconds ahead. */
    private Clock clock(long[] aheadMicros) {
        return new Clock() {
            @Override
            public long micros() {
                return SERVER_MICROS + aheadMicros[0];
            }

            @Override
            public long nanos() {
                return cluster.scheduler.clock().nanos();
            }
        };
    }

    private TransferChore moved(int transfers) throws InterruptedException {
        TransferChore chore = chore("transfers");
        for (int i = 0; i < transfers; i++) {
            chore.step();
        }
        return chore;
    }

    private TransferChore chore(String name) {
        return chore(name, accounts());
    }

    private TransferChore chore(String name, Accounts accounts) {
        return new TransferChore(name, accounts, true, new SplittableRandom(1), cluster.scheduler);
    }

    private Accounts accounts() {
        return new Accounts(table, "accounts", cluster.scheduler.clock(), tally);
    }

    private List<Bytes> keys() throws BigtableException {
        List<Bytes> keys = new ArrayList<>();
        try (Scanner scanner = table.scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                keys.add(row.get().key());
            }
        }
        return keys;
    }
}
