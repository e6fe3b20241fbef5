package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.MemoryCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the checkers of {@code bt chaos} are there for is done to their rows behind their backs, and each finds it. */
class PlantedTest {
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
        cluster.table(4, draft, List.of(), 3);
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
    void transfersOfTwoClientsAddUp() throws Exception {
        TransferChore one = moved(3);
        TransferChore other = chore("others");
        other.step();
        one.step();
        one.check();
        other.check();
        assertThat(tally.complaints()).isEmpty();
        assertThat(tally.acknowledgedWrites()).isEqualTo(5);
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

    private SharedCounter counted(long... amounts) {
        SharedCounter counter = new SharedCounter(table, "counter", cluster.scheduler.clock(), tally);
        for (long amount : amounts) {
            counter.add(amount);
            counter.read();
        }
        return counter;
    }

    private Register written(long... values) {
        Register register = new Register(table, "r", cluster.scheduler.clock(), new Availability(), tally);
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

    private TransferChore moved(int transfers) throws InterruptedException {
        TransferChore chore = chore("transfers");
        for (int i = 0; i < transfers; i++) {
            chore.step();
        }
        return chore;
    }

    private TransferChore chore(String name) {
        return new TransferChore(name, table, "accounts", new SplittableRandom(1), cluster.scheduler, tally);
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
