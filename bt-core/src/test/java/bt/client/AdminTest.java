package bt.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.coord.Paths;
import bt.metadata.ClusterAccess;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.model.AccessList;
import bt.model.GcRule;
import bt.model.Right;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.record.AlterTable;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.CreateTable;
import bt.record.Done;
import bt.record.LearnTable;
import bt.record.MasterFile;
import bt.record.MergeTablets;
import bt.record.RecoveryReport;
import bt.record.RecoveryRequest;
import bt.record.ServerDraining;
import bt.record.ServerLine;
import bt.record.StopProcess;
import bt.record.SweepReport;
import bt.record.SweepRequest;
import bt.record.TableCreated;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TableUndeleted;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import bt.record.WorkRefusal;
import bt.record.WorkReport;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.MemoryService;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminTest {
    private static final Address MASTER = new Address("master", 1);

    private MemoryCluster cluster;
    private Bigtable client;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile(MASTER.toString(), "nonce")));
        cluster.listen(MASTER, this::create);
        client = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        admin = client.admin();
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
                throw new RejectedException("table " + wanted.getTable().getName() + " exists", "ask for another");
            }
            List<Bytes> ends =
                    wanted.getSplitRows().stream().map(AvroBytes::bytes).toList();
            cluster.table(4, Schemas.decode(wanted.getTable()), ends, 3);
            return CompletableFuture.completedFuture(new Answer.Control(new TableCreated(4L)));
        } catch (Exception failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** For five minutes a tablet is handed back a second; nobody is answered before all are. */
    @Test
    void whoStopsAClusterWaitsForAsLongAsTabletsAreHandedBack() throws Exception {
        assertThat(stop(seconds -> 300 - seconds)).isBetween(Duration.ofSeconds(299), Duration.ofSeconds(310));
    }

    @Test
    void whoStopsAClusterWhereNoTabletIsHandedBackIsToldSo() {
        assertThatThrownBy(() -> stop(seconds -> Math.max(250, 300 - seconds)))
                .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                        .isEqualTo(Outcome.UNKNOWN))
                .hasMessageStartingWith("the cluster goes on stopping, and of 250 tablets none was handed back");
    }

    /** What the second of two servers has is not known before; by then the first has one tablet left. */
    @Test
    void aServerThatAnswersLateHasNotTakenBackWhatOthersHaveHandedBack() throws Exception {
        assertThat(stopServers(seconds -> List.of(
                        server(1, true, Math.max(0, 70 - seconds)),
                        server(2, seconds > 65, seconds > 65 ? Math.max(0, 300 - seconds) : 0))))
                .isBetween(Duration.ofSeconds(299), Duration.ofSeconds(310));
    }

    /** How long somebody waits who stops a cluster that has so many tablets by the seconds that are over. */
    private Duration stop(LongUnaryOperator tablets) throws Exception {
        return stopServers(seconds -> List.of(server(1, true, tablets.applyAsLong(seconds))));
    }

    private Duration stopServers(LongFunction<List<ServerLine>> servers) throws Exception {
        cluster.locks.create(Paths.MASTER_LOCK, Bytes.utf8("held"));
        SimScheduler time = new SimScheduler(1);
        long begin = time.clock().nanos();
        Supplier<List<ServerLine>> left = () -> servers.apply((time.clock().nanos() - begin) / 1_000_000_000);
        cluster.listen(MASTER, (caller, request) -> stopping(((Request.Control) request).message(), left.get()));
        AtomicReference<BigtableException> thrown = new AtomicReference<>();
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                client.admin().stopCluster();
            } catch (BigtableException failed) {
                thrown.set(failed);
            }
        });
        if (thrown.get() != null) {
            throw thrown.get();
        }
        return Duration.ofNanos(time.clock().nanos() - begin);
    }

    private static CompletableFuture<Answer> stopping(SpecificRecord message, List<ServerLine> left) {
        if (message instanceof StopProcess) {
            return left.stream().anyMatch(server -> server.getTablets() > 0)
                    ? CompletableFuture.failedFuture(new UnavailableException("no answer"))
                    : CompletableFuture.completedFuture(new Answer.Control(new Done()));
        }
        return CompletableFuture.completedFuture(new Answer.Control(new ClusterStatus(1L, "i", 0, left, List.of())));
    }

    private static ServerLine server(long epoch, boolean answers, long tablets) {
        return ServerLine.newBuilder()
                .setServer("host" + epoch + "_1_n")
                .setAddress("host" + epoch + ":1")
                .setEpoch(epoch)
                .setAlive(answers)
                .setTablets((int) tablets)
                .setPid(1)
                .build();
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
        assertThatThrownBy(() -> admin.history(Admin.METADATA, Bytes.wrap(new byte[65_555])))
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
    void aTableWithOtherQuotasOrRightsIsNotTheOneInDoubt() throws Exception {
        cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        Optional<TableAccess> rights =
                Optional.of(new TableAccess(AccessList.NOBODY.grant("ada", Set.of(Right.READ)), new TreeMap<>()));
        for (TableSchema draft : List.of(
                TableTest.WEBTABLE.with(rights),
                TableTest.WEBTABLE
                        .change()
                        .quotas(none -> none.table(OptionalLong.of(1)))
                        .build())) {
            answer(
                    new UnavailableException("no answer", Outcome.UNKNOWN),
                    new RejectedException("it exists", "ask for another"));
            assertThatThrownBy(() -> admin.createTable(draft))
                    .isInstanceOfSatisfying(RejectedException.class, failed -> assertThat(failed.outcome())
                            .isEqualTo(Outcome.UNKNOWN))
                    .hasMessageContaining("it exists");
        }
        answer(
                new UnavailableException("no answer", Outcome.UNKNOWN),
                new RejectedException("it exists", "ask for another"));
        assertThat(admin.startCreation(TableTest.WEBTABLE, List.of()).id()).isEqualTo("creation/webtable");
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

    /** As what is not served for as long does. */
    @Test
    void whatIsRefusedForWantOfRoomForAMinuteBecomesAnOperation() throws Exception {
        admin.createTable(TableTest.WEBTABLE, List.of(Bytes.utf8("m")));
        MemoryService server = cluster.server(3);
        cluster.listen(
                MemoryCluster.address(3),
                (caller, request) -> request instanceof Request.Control ? full() : server.handle(caller, request));
        cluster.listen(
                MASTER,
                (caller, request) -> ((Request.Control) request).message() instanceof WorkOnTable work
                        ? CompletableFuture.failedFuture(new RejectedException(work.getWork() + " as one", "see"))
                        : full());
        SimScheduler time = new SimScheduler(1);
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable patient = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                Admin asked = patient.admin();
                assertThatThrownBy(() -> asked.flush("webtable")).hasMessageContaining("FLUSH as one");
                assertThatThrownBy(() -> asked.mergeTablets("webtable", Bytes.utf8("a"), Bytes.utf8("z")))
                        .hasMessageContaining("MERGE as one");
                assertThatThrownBy(() -> asked.moveTablet("webtable", Bytes.utf8("a"), "host5_1_n"))
                        .hasMessageContaining("MOVE as one");
            }
        });
    }

    /** Where the master has no room for it for a minute, too. */
    @Test
    void aMergeOfWhatIsTooLargeForOneTabletIsRefusedAsAnOperationToo() throws Exception {
        cluster.table(4, TableTest.WEBTABLE, List.of(Bytes.utf8("m")), 3);
        WorkRefusal refusal = new WorkRefusal(AvroBytes.buffer(Bytes.utf8("a")), false, "too large: merge some");
        cluster.listen(MASTER, (caller, request) -> {
            SpecificRecord message = ((Request.Control) request).message();
            if (message instanceof MergeTablets) {
                return full();
            }
            return CompletableFuture.completedFuture(new Answer.Control(refusing(message, refusal)));
        });
        SimScheduler time = new SimScheduler(1);
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable patient = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                assertThatThrownBy(() -> patient.admin().mergeTablets("webtable", Bytes.utf8("b"), Bytes.utf8("z")))
                        .isInstanceOf(RejectedException.class)
                        .hasMessage("table webtable: too large: merge some");
                patient.admin().mergeTablets("webtable", Bytes.utf8("b"), Bytes.utf8("c"));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** As by a master that dies before anybody hears of it, or when somebody takes it back. */
    @Test
    void aMergeThatHasEndedIsNotTakenForDoneWhereTheTabletsAreNotOne() throws Exception {
        cluster.table(4, TableTest.WEBTABLE, List.of(Bytes.utf8("m")), 3);
        cluster.listen(MASTER, (caller, request) -> {
            SpecificRecord message = ((Request.Control) request).message();
            if (message instanceof MergeTablets) {
                return full();
            }
            return CompletableFuture.completedFuture(new Answer.Control(
                    message instanceof WorkOnTable
                            ? new WorkReport(List.of(new WorkLine("webtable", TableWork.MERGE, 1, null, List.of())))
                            : nothingUnderWay(message)));
        });
        SimScheduler time = new SimScheduler(1);
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable patient = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                assertThatThrownBy(() -> patient.admin().mergeTablets("webtable", Bytes.utf8("b"), Bytes.utf8("z")))
                        .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                                .isEqualTo(Outcome.UNKNOWN))
                        .hasMessageContaining("merge/webtable has ended, and is not done: ");
                patient.admin().mergeTablets("webtable", Bytes.utf8("b"), Bytes.utf8("c"));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static SpecificRecord nothingUnderWay(SpecificRecord message) {
        if (message instanceof ClusterStatusRequest) {
            return new ClusterStatus(1L, "i", 0, List.of(server(1, true, 2)), List.of());
        }
        if (message instanceof RecoveryRequest) {
            return new RecoveryReport(List.of());
        }
        return message instanceof SweepRequest ? new SweepReport(List.of()) : new WorkReport(List.of());
    }

    private static SpecificRecord refusing(SpecificRecord message, WorkRefusal refusal) {
        if (message instanceof ClusterStatusRequest) {
            return new ClusterStatus(1L, "i", 0, List.of(), List.of());
        }
        if (message instanceof RecoveryRequest) {
            return new RecoveryReport(List.of());
        }
        if (message instanceof SweepRequest) {
            return new SweepReport(List.of());
        }
        return new WorkReport(List.of(new WorkLine("webtable", TableWork.MERGE, 0, null, List.of(refusal))));
    }

    private static CompletableFuture<Answer> full() {
        return CompletableFuture.failedFuture(new OverloadedException("full", 100));
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
                                : new RejectedException("another table bears the name", "ask for another")));
        assertThatThrownBy(() -> admin.undeleteTable(other.name(), 2)).isInstanceOf(RejectedException.class);
        lost.set(1);
        assertThat(admin.undeleteTable(other.name(), 4)).isEqualTo(other);
        // None was named, and none that was dropped is that one.
        lost.set(1);
        assertThatThrownBy(() -> admin.undeleteTable(other.name()))
                .isInstanceOfSatisfying(RejectedException.class, failed -> assertThat(failed.outcome())
                        .isEqualTo(Outcome.UNKNOWN));
        replace(TableRecord.newBuilder(Schemas.encode(other))
                .setPhase(TablePhase.DROPPED)
                .setDroppedMicros(1)
                .build());
        backBehindALostAnswer(other);
        assertThat(admin.undeleteTable(other.name())).isEqualTo(other);
    }

    /** The master brings it back, and what it says of that is lost. */
    private void backBehindALostAnswer(TableSchema dropped) {
        AtomicInteger asked = new AtomicInteger();
        cluster.listen(MASTER, (caller, request) -> {
            if (asked.getAndIncrement() > 0) {
                return CompletableFuture.failedFuture(
                        new RejectedException("another table bears the name", "ask for another"));
            }
            try {
                replace(Schemas.encode(dropped));
            } catch (BigtableException impossible) {
                throw new AssertionError(impossible);
            }
            return CompletableFuture.failedFuture(new UnavailableException("no answer", Outcome.UNKNOWN));
        });
    }

    /** Answers in this order, the last of them from then on. */
    private void answer(Object... answers) {
        AtomicInteger asked = new AtomicInteger();
        cluster.listen(MASTER, (caller, request) -> {
            Object answer = answers[Math.min(asked.getAndIncrement(), answers.length - 1)];
            return answer instanceof BigtableException failure
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(new Answer.Control((SpecificRecord) answer));
        });
    }

    /** The master has done it, and what follows fails: nobody is told that nothing was changed. */
    private void isToldAsDone(String what, ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(BigtableException.class, failed -> assertThat(failed.outcome())
                        .isEqualTo(Outcome.UNKNOWN))
                .hasMessageStartingWith(what);
    }

    /** As the master answers, so that whatever is asked next is refused. */
    private void closeWithTheAnswer(SpecificRecord answer) {
        cluster.listen(MASTER, (caller, request) -> {
            client.close();
            return CompletableFuture.completedFuture(new Answer.Control(answer));
        });
    }

    /** It may have any number: who waits for as long as tablets leave would take the rest for what does not leave. */
    @Test
    void ofAServerThatHasNotToldTheMasterOfItsTabletsNoneAreToldToWhoDrainsIt() throws Exception {
        Iterator<ServerDraining> answers = List.of(
                        new ServerDraining(1, 0, false),
                        new ServerDraining(1, 0, false),
                        new ServerDraining(3, 0, true),
                        new ServerDraining(2, 1, true),
                        new ServerDraining(0, 1, true))
                .iterator();
        cluster.listen(
                MASTER, (caller, request) -> CompletableFuture.completedFuture(new Answer.Control(answers.next())));
        List<Integer> told = new ArrayList<>();
        assertThat(admin.drainServer("s", told::add)).isEqualTo(1);
        assertThat(told).containsExactly(3, 2);
    }

    /** How many it has nobody knows. */
    @Test
    void aDrainOfAServerThatNeverToldOfItsTabletsEndsWithoutANumber() throws Exception {
        cluster.listen(
                MASTER,
                (caller, request) ->
                        CompletableFuture.completedFuture(new Answer.Control(new ServerDraining(1, 0, false))));
        AtomicReference<String> told = new AtomicReference<>("nothing");
        SimScheduler time = new SimScheduler(1);
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable draining = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                draining.admin().drainServer("s");
            } catch (BigtableException late) {
                told.set(late.getMessage());
            }
        });
        assertThat(told.get())
                .contains(
                        "the server has not told its master of its tablets, so none is known to have left, for 10 minutes")
                .doesNotContain("of 1 tablets");
    }

    @Test
    void whatFailsAfterTheMasterHasMadeTheChangeIsToldAsDone() throws Exception {
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        Map<String, ThrowingCallable> changes = Map.of(
                "table webtable was created, and", () -> admin.createTable(TableTest.WEBTABLE),
                "table webtable was truncated, and", () -> admin.truncateTable("webtable"),
                "table webtable is back, and", () -> admin.undeleteTable("webtable"),
                "table webtable has been changed: ",
                        () -> admin.alterTable("webtable", now -> now.change()
                                .addFamily("more", GcRule.KEEP_ALL)
                                .build()),
                "table webtable was dropped, which", () -> admin.dropTable("webtable"),
                "server s: its drain has begun: ", () -> admin.drainServer("s"),
                "compaction/webtable has begun: ", () -> admin.compactTable("webtable"));
        Map<String, SpecificRecord> answers = Map.of(
                "table webtable was created, and", new TableCreated(table.id()),
                "table webtable was truncated, and", new TableCreated(table.id()),
                "table webtable is back, and", new TableUndeleted(table.id()),
                "table webtable has been changed: ", new Done(),
                "table webtable was dropped, which", new Done(),
                "server s: its drain has begun: ", new ServerDraining(3, 0, true),
                "compaction/webtable has begun: ",
                        new WorkReport(List.of(new WorkLine("webtable", TableWork.COMPACTION, 1, null, List.of()))));
        for (Map.Entry<String, ThrowingCallable> change : changes.entrySet()) {
            client = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
            admin = client.admin();
            closeWithTheAnswer(requireNonNull(answers.get(change.getKey())));
            isToldAsDone(change.getKey(), change.getValue());
        }
    }

    @Test
    void anAlterationThatIsMadeIsToldWithItsVersionAndNotMadeAgain() throws Exception {
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        AtomicInteger decided = new AtomicInteger();
        // No server learns of it.
        cluster.fates((to, request) -> {
            if (request instanceof Request.Control control && control.message() instanceof LearnTable) {
                client.close();
                return Fate.NO_CONNECTION;
            }
            return Fate.DELIVERED;
        });
        cluster.listen(MASTER, (caller, request) -> {
            AlterTable wanted = (AlterTable) ((Request.Control) request).message();
            TableRecord next = TableRecord.newBuilder(wanted.getTable())
                    .setVersion(table.version() + 1)
                    .build();
            try {
                replace(next);
            } catch (BigtableException impossible) {
                throw new AssertionError(impossible);
            }
            return CompletableFuture.completedFuture(new Answer.Control(new Done()));
        });
        isToldAsDone(
                "table webtable has version 2, which its servers",
                () -> admin.alterTable("webtable", now -> {
                    decided.incrementAndGet();
                    return now.change().addFamily("more", GcRule.KEEP_ALL).build();
                }));
        assertThat(decided).hasValue(1);
    }

    /** To have it made, to look at it and to tell the servers of it have one minute together. */
    @Test
    void anAlterationThatIsMadeLateAndThatItsServersDoNotHearOfEndsWithItsMinute() throws Exception {
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        SimScheduler time = new SimScheduler(1);
        cluster.fates(
                (to, request) -> request instanceof Request.Control control && control.message() instanceof LearnTable
                        ? Fate.NO_CONNECTION
                        : Fate.DELIVERED);
        cluster.listen(MASTER, (caller, request) -> {
            if (time.elapsed().compareTo(Duration.ofSeconds(50)) < 0) {
                return CompletableFuture.failedFuture(new UnavailableException("no master", Outcome.NOT_APPLIED));
            }
            AlterTable wanted = (AlterTable) ((Request.Control) request).message();
            try {
                replace(TableRecord.newBuilder(wanted.getTable())
                        .setVersion(table.version() + 1)
                        .build());
            } catch (BigtableException impossible) {
                throw new AssertionError(impossible);
            }
            return CompletableFuture.completedFuture(new Answer.Control(new Done()));
        });
        AtomicReference<BigtableException> thrown = new AtomicReference<>();
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable altering = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                TableSchema unused = altering.admin().alterTable("webtable", now -> now.change()
                        .addFamily("more", GcRule.KEEP_ALL)
                        .build());
            } catch (BigtableException late) {
                thrown.set(late);
            }
        });
        assertThat(thrown.get()).hasMessageStartingWith("table webtable has version 2, which its servers");
        assertThat(time.elapsed()).isBetween(Duration.ofSeconds(51), Duration.ofSeconds(62));
    }

    /** The master makes it, its answer is lost, and somebody else changes the table. */
    @Test
    void anAlterationThatMayBeMadeAndCanBeMadeNoMoreIsInDoubt() throws Exception {
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        TableSchema later = table.change()
                .addFamily("more", GcRule.KEEP_ALL)
                .addFamily("other", GcRule.KEEP_ALL)
                .build();
        cluster.listen(MASTER, (caller, request) -> {
            TableRecord next = TableRecord.newBuilder(Schemas.encode(later))
                    .setVersion(table.version() + 2)
                    .build();
            try {
                replace(next);
            } catch (BigtableException impossible) {
                throw new AssertionError(impossible);
            }
            return CompletableFuture.failedFuture(new UnavailableException("no answer"));
        });
        UnaryOperator<TableSchema> change =
                now -> now.change().addFamily("more", GcRule.KEEP_ALL).build();
        assertThatThrownBy(() -> admin.alterTable("webtable", change))
                .isInstanceOfSatisfying(RejectedException.class, failed -> assertThat(failed.outcome())
                        .isEqualTo(Outcome.UNKNOWN))
                .hasMessageStartingWith("table webtable has version 3, with or without what was asked for: ");
        assertThatThrownBy(() -> admin.alterTable("webtable", change)).isInstanceOf(IllegalArgumentException.class);
    }

    /** The master makes it, its answer is lost, and somebody takes it back, who is told that this is done. */
    @Test
    void aChangeThatOthersMayHaveTakenBackIsNotMadeAgain() throws Exception {
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        AccessList bobs = AccessList.NOBODY.grant("bob", Right.OF_CLUSTERS);
        AtomicInteger asked = new AtomicInteger();
        cluster.listen(MASTER, (caller, request) -> {
            asked.incrementAndGet();
            try {
                replace(TableRecord.newBuilder(Schemas.encode(table))
                        .setVersion(table.version() + 2)
                        .build());
                ClusterAccess.read(cluster.locks)
                        .replace(AccessList.NOBODY.grant("ada", Right.OF_CLUSTERS), cluster.locks);
                ClusterAccess.read(cluster.locks).replace(bobs, cluster.locks);
            } catch (BigtableException impossible) {
                throw new AssertionError(impossible);
            }
            return CompletableFuture.failedFuture(new UnavailableException("no answer", Outcome.UNKNOWN));
        });
        List<ThrowingCallable> changes = List.of(
                () -> admin.alterTable(
                        "webtable",
                        now -> now.change().addFamily("more", GcRule.KEEP_ALL).build()),
                () -> admin.alterAccess(rights -> rights.grant("ada", Right.OF_CLUSTERS)));
        for (ThrowingCallable change : changes) {
            asked.set(0);
            assertThatThrownBy(change)
                    .isInstanceOfSatisfying(RejectedException.class, failed -> assertThat(failed.outcome())
                            .isEqualTo(Outcome.UNKNOWN))
                    .hasMessageContaining("with or without what was asked for: others have changed ");
            assertThat(asked).hasValue(1);
        }
        assertThat(ClusterAccess.read(cluster.locks).list()).contains(bobs);
    }

    @Test
    void whatAnEarlierAttemptMayHaveDoneIsUnknownHoweverTheLastOneWasRefused() throws Exception {
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, List.of(Bytes.utf8("m")), 3);
        TableSchema other =
                TableSchema.draft("webtable").family("other", GcRule.KEEP_ALL).build();
        UnavailableException lost = new UnavailableException("no answer", Outcome.UNKNOWN);
        RejectedException refused = new RejectedException("refused", "ask for another");
        List<ThrowingCallable> changes = List.of(
                () -> admin.createTable(other),
                () -> admin.startCreation(other, List.of()),
                () -> admin.alterTable(
                        "webtable",
                        now -> now.change().addFamily("more", GcRule.KEEP_ALL).build()),
                () -> admin.alterAccess(rights -> rights.grant("ada", Right.OF_CLUSTERS)),
                () -> admin.dropTable("webtable"),
                () -> admin.truncateTable("webtable"),
                () -> admin.undeleteTable("gone"),
                () -> admin.startFlush("webtable"),
                () -> admin.mergeTablets("webtable", Bytes.utf8("a"), Bytes.utf8("z")),
                () -> admin.moveTablet("webtable", Bytes.utf8("a"), "s"),
                () -> admin.drainServer("s"),
                () -> admin.undrainServer("s"),
                () -> admin.processExited("s"));
        for (ThrowingCallable change : changes) {
            answer(refused);
            assertThatThrownBy(change)
                    .as("at once")
                    .isInstanceOfSatisfying(RejectedException.class, failed -> assertThat(failed.outcome())
                            .isEqualTo(Outcome.NOT_APPLIED));
            answer(lost, refused);
            assertThatThrownBy(change)
                    .as("in doubt")
                    .isInstanceOfSatisfying(RejectedException.class, failed -> assertThat(failed.outcome())
                            .isEqualTo(Outcome.UNKNOWN));
        }
        assertThat(admin.table("webtable")).contains(table);
    }

    /** Who decided anew at once would ask the master as fast as it answers, for a minute. */
    @Test
    void whoIsOvertakenEachTimeDecidesAgainAfterAPauseAndIsOverloadedInTheEnd() throws Exception {
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        AtomicInteger asked = new AtomicInteger();
        cluster.listen(MASTER, (caller, request) -> {
            int times = asked.incrementAndGet();
            assertThat(times).isLessThan(1_000);
            try {
                replace(TableRecord.newBuilder(Schemas.encode(table))
                        .setVersion(times + 1)
                        .build());
                ClusterAccess.read(cluster.locks)
                        .replace(AccessList.NOBODY.grant("user" + times, Right.OF_CLUSTERS), cluster.locks);
            } catch (BigtableException impossible) {
                throw new AssertionError(impossible);
            }
            return CompletableFuture.failedFuture(new RejectedException("it has changed", "ask for another"));
        });
        SimScheduler time = new SimScheduler(1);
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable overtaken = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                Admin admin = overtaken.admin();
                isOverloaded(
                        "others have changed it meanwhile",
                        () -> admin.alterTable("webtable", now -> now.change()
                                .addFamily("more", GcRule.KEEP_ALL)
                                .build()));
                isOverloaded(
                        "others have changed them meanwhile",
                        () -> admin.alterAccess(rights -> rights.grant("ada", Right.OF_CLUSTERS)));
            }
        });
        // A minute each, with pauses of a second at last.
        assertThat(asked).hasValueBetween(100, 300);
    }

    private static void isOverloaded(String why, ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(OverloadedException.class, failed -> assertThat(failed.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED))
                .hasMessageContaining(why)
                .hasMessageContaining("try again later");
    }

    private void replace(TableRecord next) throws BigtableException {
        cluster.locks.delete(Paths.table(4));
        cluster.locks.create(Paths.table(4), TableFile.encode(next));
    }

    @Test
    void unknownNamesAreRejected() {
        assertThatThrownBy(() -> admin.dropTable("nope")).isInstanceOf(RejectedException.class);
        assertThatThrownBy(() -> admin.flush("nope")).isInstanceOf(RejectedException.class);
    }
}
