package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.coord.Paths;
import bt.metadata.Schemas;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.record.CreateTable;
import bt.record.MasterFile;
import bt.record.TableCreated;
import bt.record.TableWork;
import bt.record.WorkOnTable;
import bt.record.WorkReport;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminTest {
    private static final Address MASTER = new Address("master", 1);

    private MemoryCluster cluster;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile(MASTER.toString(), "nonce")));
        cluster.listen(MASTER, this::create);
        admin = Bigtable.over(cluster, cluster.locks, cluster.scheduler).admin();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** What a master does with the requests of these tests. */
    private CompletableFuture<Answer> create(Caller caller, Request request) {
        if (((Request.Control) request).message() instanceof WorkOnTable over) {
            assertThat(over.getWork()).isEqualTo(TableWork.CREATION);
            assertThat(over.getUndo()).isTrue();
            return CompletableFuture.completedFuture(new Answer.Control(new WorkReport(List.of())));
        }
        CreateTable wanted = (CreateTable) ((Request.Control) request).message();
        try {
            if (cluster.locks.read(Paths.table(4)).isPresent()) {
                throw new RejectedException("table " + wanted.getTable().getName() + " exists");
            }
            List<Bytes> ends =
                    wanted.getSplitRows().stream().map(AvroBytes::bytes).toList();
            cluster.table(4, Schemas.decode(wanted.getTable()), ends, 3);
            return CompletableFuture.completedFuture(new Answer.Control(new TableCreated(4L)));
        } catch (Exception failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    @Test
    void whatIsNoRowKeyHasNoHistory() throws Exception {
        admin.createTable(TableTest.WEBTABLE, List.of());
        for (int bytes : new int[] {0, 65_537}) {
            assertThatThrownBy(() -> admin.history("webtable", Bytes.wrap(new byte[bytes])))
                    .isInstanceOf(RejectedException.class)
                    .hasMessage("table webtable: a row key of " + bytes + " bytes: name one of 1 to 65536 bytes");
        }
        assertThat(admin.history("webtable", Bytes.wrap(new byte[65_536])))
                .extracting(TabletEvent::what)
                .startsWith("created");
        assertThatThrownBy(() -> admin.history(Admin.METADATA, Bytes.wrap(new byte[65_546])))
                .isInstanceOf(RejectedException.class);
    }

    @Test
    void aCreatedTableHasItsIdAndItsTablets() throws Exception {
        TableSchema created = admin.createTable(TableTest.WEBTABLE, List.of(Bytes.utf8("m")));
        assertThat(created.id()).isEqualTo(4);
        assertThat(admin.tables()).containsExactly(created);
        Table table = Bigtable.over(cluster, cluster.locks, cluster.scheduler).table("webtable");
        assertThat(table.tablets()).hasSize(2);
    }

    @Test
    void aTableIsNotCreatedTwice() throws Exception {
        TableSchema made = admin.createTable(TableTest.WEBTABLE);
        assertThat(admin.table("webtable")).contains(made);
        assertThat(admin.table("none")).isEmpty();
        assertThatThrownBy(() -> admin.createTable(TableTest.WEBTABLE, List.of()))
                .isInstanceOf(RejectedException.class);
    }

    @Test
    void aTableWhoseCreationWasAnsweredInVainIsRecognised() throws Exception {
        AtomicInteger lost = new AtomicInteger(1);
        cluster.fates(
                (to, request) -> to.equals(MASTER) && lost.getAndDecrement() > 0 ? Fate.ANSWER_LOST : Fate.DELIVERED);
        assertThat(admin.createTable(TableTest.WEBTABLE, List.of()).id()).isEqualTo(4);
    }

    @Test
    void aMasterThatMovedIsFoundWhereItsFileSays() throws Exception {
        Address next = new Address("master", 2);
        cluster.fates((to, request) -> {
            if (to.equals(MASTER)) {
                cluster.listen(next, this::create);
                cluster.locks.delete(Paths.MASTER);
                try {
                    cluster.locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile(next.toString(), "nonce")));
                } catch (RejectedException impossible) {
                    throw new AssertionError(impossible);
                }
                return Fate.NO_CONNECTION;
            }
            return Fate.DELIVERED;
        });
        assertThat(admin.createTable(TableTest.WEBTABLE, List.of()).id()).isEqualTo(4);
    }

    @Test
    void aFlushAsksEveryServerOfTheTable() throws Exception {
        admin.createTable(TableTest.WEBTABLE, List.of(Bytes.utf8("m")));
        cluster.move(new TabletId(4, Optional.empty()), 3, 5);
        admin.flush("webtable");
        for (int host : new int[] {3, 5}) {
            assertThat(cluster.server(host).asked()).hasAtLeastOneElementOfType(Request.Control.class);
        }
    }

    @Test
    void anotherTableOfTheNameIsNotTheOneThatWasToComeBack() throws Exception {
        AtomicInteger lost = new AtomicInteger(1);
        TableSchema other = cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        cluster.listen(
                MASTER,
                (caller, request) -> CompletableFuture.failedFuture(
                        lost.getAndDecrement() > 0
                                ? new UnavailableException("no answer", Outcome.UNKNOWN)
                                : new RejectedException("another table bears the name")));
        assertThatThrownBy(() -> admin.undeleteTable(other.name(), 2)).isInstanceOf(RejectedException.class);
        lost.set(1);
        assertThat(admin.undeleteTable(other.name(), 4)).isEqualTo(other);
    }

    @Test
    void unknownNamesAreRejected() {
        assertThatThrownBy(() -> admin.dropTable("nope")).isInstanceOf(RejectedException.class);
        assertThatThrownBy(() -> admin.flush("nope")).isInstanceOf(RejectedException.class);
    }
}
