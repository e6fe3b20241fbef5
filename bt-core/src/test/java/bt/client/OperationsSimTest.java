package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Operation.Kind;
import bt.coord.Paths;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What takes long in a cluster, and who asks how far it is. */
class OperationsSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final List<Bytes> SPLITS = List.of(Bytes.utf8("d"), Bytes.utf8("k"), Bytes.utf8("p"));

    /** Something that is done with a cluster. */
    @FunctionalInterface
    private interface Story {
        void run(SimCluster cluster, Bigtable client) throws BigtableException, InterruptedException;
    }

    private static void tell(RandomGenerator random, Story story) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 15);
        cluster.startMaster();
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(20), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                for (String row : List.of("a", "e", "l", "q")) {
                    client.table("t")
                            .apply(RowMutation.of(row).set("f", "q", "v").build());
                }
                story.run(cluster, client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static ServerInfo busiest(Admin admin) throws BigtableException {
        ServerInfo busiest = admin.clusterStatus().servers().get(0);
        for (ServerInfo server : admin.clusterStatus().servers()) {
            busiest = server.tablets() > busiest.tablets() ? server : busiest;
        }
        return busiest;
    }

    @SeededTest(runs = 3)
    void whatCanNeverHaveBeenIsNotWaitedFor(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            for (String id :
                    List.of("bogus", "", "/t", "flush/", "FLUSH/t", "recovery/w1", "t/flush", "drain", "sweep/t")) {
                assertThatThrownBy(() -> admin.awaitOperation(id, 1_000, progress -> {}))
                        .as(id)
                        .isInstanceOf(RejectedException.class)
                        .hasMessageStartingWith("operation " + id + ": no id of one is like it: drain/SERVER");
            }
            assertThatThrownBy(() -> admin.awaitOperation("compaction/nosuchtable", 1_000, progress -> {}))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("operation compaction/nosuchtable: no table of its name");
            assertThatThrownBy(() -> admin.operation("compaction/nosuchtable"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("operation compaction/nosuchtable: no table of its name");
            assertThatThrownBy(() -> admin.operation("recovery/w1"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("no id of one is like it");
            assertThatThrownBy(() -> admin.awaitOperation("drain/127.0.0.1:1", 1_000, progress -> {}))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("names the server by its id, not by its address");
            // What is over may have been.
            for (String id : List.of("flush/t", "compaction/METADATA", "drain/w1", "recovery/w1/7")) {
                admin.awaitOperation(id, 60_000, progress -> {});
                Operation over = admin.operation(id);
                assertThat(over.id()).isEqualTo(id);
                assertThat(over.isDone()).isTrue();
                assertThat(over.tabletsLeft()).isZero();
                assertThat(over.kind().name().toLowerCase(Locale.ROOT) + "/" + over.subject())
                        .isEqualTo(id.replace("/7", ""));
            }
        });
    }

    @SeededTest(runs = 5)
    void aDrainGoesOnWithoutWhoBeganItAndIsFoundByItsIdAtTheNextMasterToo(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            assertThat(admin.operations()).isEmpty();
            String server = busiest(admin).address();
            Operation begun = admin.startDrain(server);
            assertThat(begun.kind()).isEqualTo(Kind.DRAIN);
            assertThat(begun.tabletsLeft()).isPositive();
            assertThat(admin.startDrain(server).id()).isEqualTo(begun.id());
            assertThatThrownBy(() -> admin.awaitOperation(begun.id(), 0, progress -> {}))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("it goes on");
            cluster.crashActiveMaster();

            List<Long> left = new ArrayList<>();
            admin.awaitOperation(begun.id(), 600_000, progress -> left.add(progress.tabletsLeft()));
            assertThat(left).last().isEqualTo(0L);
            assertThat(admin.operations()).extracting(Operation::isDone).containsExactly(true);
            admin.undrainServer(server);
            assertThat(admin.operations()).isEmpty();
        });
    }

    /** The rows whose tablet has gone through one since it was loaded. */
    private static List<String> compacted(Admin admin) throws BigtableException {
        List<String> compacted = new ArrayList<>();
        for (String row : List.of("a", "e", "l", "q")) {
            if (admin.history("t", Bytes.utf8(row)).stream()
                    .anyMatch(event -> event.what().contains("major compaction, ASKED"))) {
                compacted.add(row);
            }
        }
        return compacted;
    }

    @SeededTest(runs = 5)
    void aCompactionGoesOnUnderTheNextMasterAndWhereItsTabletsHaveMoved(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            // Nothing is compacted while no file can be written.
            cluster.setFileFaults((operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/")
                    ? new Fault(0, Failure.INSTEAD)
                    : Faults.NONE);
            Operation begun = admin.startCompaction("t", RowRange.ALL);
            assertThat(begun.id()).isEqualTo("compaction/t");
            assertThat(begun.kind()).isEqualTo(Kind.COMPACTION);
            assertThatThrownBy(() -> admin.awaitOperation(begun.id(), 5_000, progress -> {}))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("it goes on");
            assertThat(compacted(admin)).isEmpty();
            String server = busiest(admin).address();
            cluster.crashActiveMaster();
            cluster.crash(server);
            cluster.setFileFaults((operation, path) -> Faults.NONE);

            List<Long> left = new ArrayList<>();
            admin.awaitOperation(begun.id(), 600_000, progress -> left.add(progress.tabletsLeft()));
            assertThat(compacted(admin)).containsExactly("a", "e", "l", "q");
            assertThat(left).isNotEmpty().allSatisfy(tablets -> assertThat(tablets)
                    .isBetween(1L, 4L));
            assertThat(cluster.ports().locks().children(Paths.COMPACTIONS)).isEmpty();
        });
    }

    @SeededTest(runs = 3)
    void aCompactionThatIsTakenBackBeginsInNoMoreTablets(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            admin.flush("t");
            Set<String> refused = ConcurrentHashMap.newKeySet();
            cluster.setFileFaults((operation, path) -> {
                boolean isData = operation == FileOperation.CREATE && path.startsWith("data/");
                if (isData) {
                    refused.add(path);
                }
                return isData ? new Fault(0, Failure.INSTEAD) : Faults.NONE;
            });
            admin.startCompaction("t", RowRange.ALL);
            // Each of the four tablets is to be compacted, and tries.
            while (refused.size() < 4) {
                cluster.scheduler().pause(100);
            }
            admin.cancelCompaction("t");
            // The next looks of the master tell it to the servers.
            cluster.scheduler().pause(5_000);
            cluster.setFileFaults((operation, path) -> Faults.NONE);
            cluster.scheduler().pause(120_000);
            assertThat(compacted(admin)).isEmpty();
        });
    }

    @SeededTest(runs = 3)
    void aCompactionOfSomeRowsIsOneOfTheirTabletsAndEndsWithItsTable(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            RowRange rows = RowRange.of(Bytes.utf8("e"), Bytes.utf8("m"));
            admin.awaitOperation(admin.startCompaction("t", rows).id(), 600_000, progress -> {});
            assertThat(compacted(admin)).containsExactly("e", "l");

            cluster.setFileFaults((operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/")
                    ? new Fault(0, Failure.INSTEAD)
                    : Faults.NONE);
            client.table("t").apply(RowMutation.of("a").set("f", "q", "w").build());
            Operation first = admin.startCompaction("t", RowRange.before(Bytes.utf8("b")));
            assertThat(admin.startCompaction("t", RowRange.from(Bytes.utf8("z")))
                            .id())
                    .isEqualTo(first.id());
            assertThat(admin.operations()).extracting(Operation::id).containsExactly("compaction/t");
            admin.cancelCompaction("t");
            assertThat(admin.operations()).isEmpty();

            assertThat(admin.startCompaction("t", RowRange.ALL).tabletsLeft()).isPositive();
            admin.dropTable("t");
            admin.awaitOperation(first.id(), 600_000, progress -> {});
            assertThatThrownBy(() -> admin.startCompaction("t", RowRange.ALL))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("does not exist");
        });
    }

    /** Nothing that is in memory can be written to files. */
    private static void refuseFiles(SimCluster cluster) {
        cluster.setFileFaults((operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/")
                ? new Fault(0, Failure.INSTEAD)
                : Faults.NONE);
    }

    /** The minute that a request may take is over before a tablet can leave its server. */
    @SeededTest(runs = 3)
    void aMergeAndAMoveThatTakeLongerThanARequestMayBecomeOperations(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            refuseFilesFor(90_000, cluster);
            admin.mergeTablets("t", Bytes.utf8("a"), Bytes.utf8("e"));
            assertThat(ends(client)).containsExactly("k", "p");

            client.table("t").apply(RowMutation.of("l").set("f", "q", "w").build());
            String holder = server(client, "l");
            String other = admin.clusterStatus().servers().stream()
                    .map(ServerInfo::address)
                    .filter(server -> !server.equals(holder))
                    .findFirst()
                    .orElseThrow();
            refuseFilesFor(90_000, cluster);
            admin.moveTablet("t", Bytes.utf8("l"), other);
            assertThat(server(client, "l")).isEqualTo(other);
        });
    }

    /** What can never be done would be waited for as what is hindered is, for a minute, and be in doubt then. */
    @SeededTest(runs = 3)
    void rowsThatNoTabletsHoldAreRefusedAtOnce(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            List<String> ends = ends(client);
            long begin = cluster.scheduler().clock().nanos();
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> admin.mergeTablets("t", Bytes.utf8("z"), Bytes.utf8("a")),
                    () -> admin.startMerge("t", Bytes.utf8("z"), Bytes.utf8("a")))) {
                assertThatThrownBy(call)
                        .isInstanceOfSatisfying(RejectedException.class, refused -> assertThat(refused.outcome())
                                .isEqualTo(Outcome.NOT_APPLIED))
                        .hasMessageContaining(
                                "table t: rows from z to a: the first comes after the last: exchange them");
            }
            assertThat(cluster.scheduler().clock().nanos() - begin).isLessThan(10_000_000_000L);
            assertThat(admin.operations()).isEmpty();
            assertThat(ends(client)).isEqualTo(ends);
        });
    }

    /** That of another tablet goes on for longer than it is told that the first can never be done. */
    @SeededTest(runs = 3)
    void aMoveToAServerThatDiesHasFailedWhateverBecomesOfTheOthersOfItsTable(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            String holder = server(client, "l");
            String host = cluster.startServer();
            ServerInfo target = await(cluster, admin, host);
            String other = admin.clusterStatus().servers().stream()
                    .map(ServerInfo::address)
                    .filter(server -> !server.equals(holder) && !server.equals(target.address()))
                    .findFirst()
                    .orElseThrow();
            client.table("t").apply(RowMutation.of("l").set("f", "q", "w").build());
            refuseFiles(cluster);
            long begin = cluster.scheduler().clock().nanos();
            CompletableFuture<Boolean> moved = new CompletableFuture<>();
            Scheduler.Worker unused = cluster.scheduler().start("mover", () -> {
                try {
                    admin.moveTablet("t", Bytes.utf8("l"), target.address());
                    moved.complete(true);
                } catch (BigtableException failed) {
                    moved.completeExceptionally(failed);
                }
            });
            while (admin.operations().stream().noneMatch(each -> each.id().equals("move/t"))) {
                cluster.scheduler().pause(1_000);
            }
            Operation another =
                    admin.startMove("t", Bytes.utf8("q"), server(client, "q").equals(other) ? holder : other);
            cluster.crash(target.address());
            assertThatThrownBy(() -> cluster.scheduler().await(moved, 600_000))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("row l: ")
                    .hasMessageContaining(" is dead");
            assertThat(admin.operation(another.id()).isDone()).isFalse();
            assertThat(cluster.scheduler().clock().nanos() - begin).isLessThan(90_000_000_000L);
        });
    }

    /** Until the master has seen it. */
    private static ServerInfo await(SimCluster cluster, Admin admin, String host)
            throws BigtableException, InterruptedException {
        while (true) {
            for (ServerInfo server : admin.clusterStatus().servers()) {
                if (server.address().startsWith(host + ":")) {
                    return server;
                }
            }
            cluster.scheduler().pause(100);
        }
    }

    private static void refuseFilesFor(long millis, SimCluster cluster) {
        refuseFiles(cluster);
        cluster.scheduler().after(millis, () -> cluster.setFileFaults((operation, path) -> Faults.NONE));
    }

    private static String server(Bigtable client, String row) throws BigtableException {
        return client.table("t").tablets().stream()
                .filter(tablet -> tablet.range().contains(Bytes.utf8(row)))
                .findFirst()
                .orElseThrow()
                .server()
                .orElseThrow();
    }

    private static List<String> ends(Bigtable client) throws BigtableException {
        return client.table("t").tablets().stream()
                .flatMap(tablet -> tablet.range().end().stream())
                .map(end -> end.slice(0, end.length() - 1).toUtf8())
                .toList();
    }

    private static void isUnderWayAfterTheMasterHasDied(SimCluster cluster, Admin admin, Operation begun)
            throws BigtableException {
        assertThatThrownBy(() -> admin.awaitOperation(begun.id(), 5_000, progress -> {}))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("it goes on");
        cluster.crashActiveMaster();
        assertThat(admin.operations()).extracting(Operation::id).containsExactly(begun.id());
    }

    @SeededTest(runs = 5)
    void aFlushGoesOnUnderTheNextMaster(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            refuseFiles(cluster);
            Operation begun = admin.startFlush("t");
            assertThat(begun.id()).isEqualTo("flush/t");
            isUnderWayAfterTheMasterHasDied(cluster, admin, begun);
            cluster.setFileFaults((operation, path) -> Faults.NONE);

            List<Long> left = new ArrayList<>();
            admin.awaitOperation(begun.id(), 600_000, progress -> left.add(progress.tabletsLeft()));
            assertThat(left).isNotEmpty().allSatisfy(tablets -> assertThat(tablets)
                    .isBetween(1L, 4L));
            for (String row : List.of("a", "e", "l", "q")) {
                assertThat(admin.history("t", Bytes.utf8(row)))
                        .anySatisfy(event -> assertThat(event.what()).contains("minor compaction"));
            }
            assertThat(cluster.ports().locks().children(Paths.FLUSHES)).isEmpty();
        });
    }

    @SeededTest(runs = 5)
    void aTableIsThereBeforeAllItsTabletsAreServedAndComesToBeUnderTheNextMasterToo(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            List<Bytes> ends =
                    IntStream.range(100, 200).mapToObj(i -> Bytes.utf8("" + i)).toList();
            TableSchema draft =
                    TableSchema.draft("u").family("f", GcRule.KEEP_ALL).build();
            Operation begun = admin.startCreation(draft, ends);
            assertThat(begun.id()).isEqualTo("creation/u");
            assertThat(begun.tabletsLeft()).isEqualTo(101);
            cluster.crashActiveMaster();

            List<Long> left = new ArrayList<>();
            admin.awaitOperation(begun.id(), 600_000, progress -> left.add(progress.tabletsLeft()));
            assertThat(left).allSatisfy(tablets -> assertThat(tablets).isBetween(1L, 101L));
            assertThat(client.table("u").tablets()).hasSize(101).allMatch(tablet -> tablet.server()
                    .isPresent());
            admin.dropTable("u");
            isKeptNowhere(cluster, Paths.CREATIONS);
        });
    }

    @SeededTest(runs = 5)
    void aTableThatIsTruncatedIsEmptyAtOnceAndAnOperationUntilItIsServed(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            long full = admin.table("t").orElseThrow().id();
            Operation begun = admin.startTruncation("t");

            assertThat(begun.id()).isEqualTo("creation/t");
            assertThat(begun.kind()).isEqualTo(Kind.CREATION);
            assertThat(begun.subject()).isEqualTo("t");
            assertThat(begun.tabletsLeft()).isBetween(0L, 4L);
            assertThat(begun.isDone()).isEqualTo(begun.tabletsLeft() == 0);
            assertThat(admin.table("t").orElseThrow().id()).isGreaterThan(full);
            cluster.crashActiveMaster();

            admin.awaitOperation(begun.id(), 600_000, progress -> {});
            assertThat(admin.operation(begun.id()).isDone()).isTrue();
            assertThat(client.table("t").tablets()).hasSize(4).allMatch(tablet -> tablet.server()
                    .isPresent());
            assertThat(client.table("t").read(Bytes.utf8("a"))).isEmpty();
            assertThat(admin.droppedTables())
                    .singleElement()
                    .satisfies(dropped -> assertThat(dropped.schema().id()).isEqualTo(full));
        });
    }

    @SeededTest(runs = 5)
    void aTableThatComesBackIsThereAtOnceAndAnOperationUntilItIsServed(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            long dropped = admin.table("t").orElseThrow().id();
            client.table("t").apply(RowMutation.of("a").set("f", "q", "kept").build());
            admin.dropTable("t");
            Operation begun = random.nextBoolean() ? admin.startUndeletion("t") : admin.startUndeletion("t", dropped);

            assertThat(begun.id()).isEqualTo("creation/t");
            assertThat(begun.kind()).isEqualTo(Kind.CREATION);
            assertThat(begun.tabletsLeft()).isBetween(0L, 4L);
            assertThat(begun.isDone()).isEqualTo(begun.tabletsLeft() == 0);
            assertThat(admin.table("t").orElseThrow().id()).isEqualTo(dropped);
            cluster.crashActiveMaster();

            admin.awaitOperation(begun.id(), 600_000, progress -> {});
            assertThat(client.table("t").tablets()).hasSize(4).allMatch(tablet -> tablet.server()
                    .isPresent());
            assertThat(client.table("t").read(Bytes.utf8("a"))).isPresent();
            assertThatThrownBy(() -> admin.startUndeletion("t"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("another table bears the name t now");
        });
    }

    /** Who asks before a new master has looked at any server is not told that it is done. */
    @SeededTest(runs = 5)
    void howFarItIsIsToldOnceTooAlsoByTheNextMaster(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            cluster.setFileFaults((operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/")
                    ? new Fault(0, Failure.INSTEAD)
                    : Faults.NONE);
            Operation begun = admin.startFlush("t");
            assertThat(admin.operation(begun.id()).isDone()).isFalse();
            cluster.crashActiveMaster();
            assertThat(admin.operation(begun.id()).isDone()).isFalse();
            cluster.setFileFaults((operation, path) -> Faults.NONE);
            admin.awaitOperation(begun.id(), 600_000, progress -> {});
            assertThat(admin.operation(begun.id()).isDone()).isTrue();
        });
    }

    @SeededTest(runs = 5)
    void aTableThatComesBackIsListedWithWhatHindersItUntilAllItsTabletsAreServed(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            admin.flush("t");
            admin.dropTable("t");
            cluster.scheduler().pause(60_000);
            cluster.setFileFaults((operation, path) -> operation == FileOperation.OPEN && path.startsWith("data/")
                    ? new Fault(0, Failure.INSTEAD)
                    : Faults.NONE);
            assertThatThrownBy(() -> admin.undeleteTable("t")).isInstanceOf(UnavailableException.class);
            assertThat(admin.operations()).singleElement().satisfies(operation -> {
                assertThat(operation.id()).isEqualTo("creation/t");
                assertThat(operation.kind()).isEqualTo(Kind.CREATION);
                assertThat(operation.tabletsLeft()).isEqualTo(4);
                assertThat(operation.hindrance())
                        .hasValueSatisfying(why -> assertThat(why).contains("is not served: "));
            });
            assertThatThrownBy(() -> admin.cancelOperation("creation/t"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("a creation when the table is served or dropped");
            isUnderWayAfterTheMasterHasDied(cluster, admin, admin.operations().get(0));
            cluster.setFileFaults((operation, path) -> Faults.NONE);
            admin.awaitOperation("creation/t", 600_000, progress -> {});
            assertThat(client.table("t").read(Bytes.utf8("a"))).isPresent();

            // Whatever becomes of its tablets now, it is there.
            cluster.crash(busiest(admin).address());
            awaitRecovery(cluster, admin);
            assertThat(admin.operations()).extracting(Operation::kind).doesNotContain(Kind.CREATION);
            isKeptNowhere(cluster, Paths.CREATIONS);
        });
    }

    /** Addresses: of the server that has a row, and of another. */
    private record Places(String other, String holder) {
        static Places of(Bigtable client, String row) throws BigtableException {
            String holder = client.table("t").tablets().stream()
                    .filter(tablet -> tablet.range().contains(Bytes.utf8(row)))
                    .flatMap(tablet -> tablet.server().stream())
                    .findFirst()
                    .orElseThrow();
            String other = client.admin().clusterStatus().servers().stream()
                    .map(ServerInfo::address)
                    .filter(server -> !server.equals(holder))
                    .findFirst()
                    .orElseThrow();
            return new Places(other, holder);
        }
    }

    @SeededTest(runs = 5)
    void aMoveGoesOnUnderTheNextMaster(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            String target = Places.of(client, "a").other();
            refuseFiles(cluster);
            Operation begun = admin.startMove("t", Bytes.utf8("a"), target);
            assertThat(begun.id()).isEqualTo("move/t");
            assertThat(begun.kind()).isEqualTo(Kind.MOVE);
            assertThat(begun.tabletsLeft()).isEqualTo(1);
            assertThat(admin.startMove("t", Bytes.utf8("a"), target)).isEqualTo(begun);
            isUnderWayAfterTheMasterHasDied(cluster, admin, begun);
            cluster.setFileFaults((operation, path) -> Faults.NONE);

            admin.awaitOperation(begun.id(), 600_000, progress -> {});
            assertThat(Places.of(client, "a").holder()).isEqualTo(target);
            assertThat(client.table("t").read(Bytes.utf8("a"))).isPresent();
            isKeptNowhere(cluster, Paths.MOVES);
        });
    }

    @SeededTest(runs = 3)
    void aMoveIsTakenBackAndOneToNoLivingServerIsRefused(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            String target = Places.of(client, "a").other();
            assertThatThrownBy(() -> admin.startMove("t", Bytes.utf8("a"), "nowhere:1"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("no tablet server nowhere:1 is alive");
            assertThatThrownBy(() -> admin.startMove("t", Bytes.EMPTY, target))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("name a server, and a row of 1 to");
            refuseFiles(cluster);
            Operation begun = admin.startMove("t", Bytes.utf8("a"), target);
            assertThat(admin.operations()).contains(begun);
            admin.cancelOperation("move/t");
            assertThat(admin.operations()).isEmpty();
            assertThat(cluster.ports().locks().children(Paths.MOVES)).isEmpty();
        });
    }

    @SeededTest(runs = 5)
    void aMoveToAServerThatDiesIsToldToWhoWaits(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            String target = Places.of(client, "a").other();
            refuseFiles(cluster);
            Operation begun = admin.startMove("t", Bytes.utf8("a"), target);
            cluster.crash(target);
            cluster.setFileFaults((operation, path) -> Faults.NONE);

            List<Operation> told = new ArrayList<>();
            admin.awaitOperation(begun.id(), 600_000, told::add);
            assertThat(told).last().satisfies(over -> {
                assertThat(over.isDone()).isTrue();
                assertThat(over.refusals()).singleElement().satisfies(refusal -> {
                    assertThat(refusal.row()).isEqualTo(Bytes.utf8("a"));
                    assertThat(refusal.kind()).isEqualTo(BigtableException.Kind.REJECTED);
                    assertThat(refusal.why()).contains("is dead: list those that live, and name one");
                });
            });
            assertThat(client.table("t").read(Bytes.utf8("a"))).isPresent();
            isKeptNowhere(cluster, Paths.MOVES);
        });
    }

    /** The master's next looks find it over. */
    private static void isKeptNowhere(SimCluster cluster, String path) throws BigtableException, InterruptedException {
        cluster.scheduler().pause(30_000);
        assertThat(cluster.ports().locks().children(path)).isEmpty();
    }

    private static void awaitRecovery(SimCluster cluster, Admin admin) throws BigtableException, InterruptedException {
        while (admin.operations().stream().noneMatch(operation -> operation.kind() == Kind.RECOVERY)) {
            cluster.scheduler().pause(100);
        }
    }

    @SeededTest(runs = 3)
    void aFlushThatTakesLongerThanARequestIsWaitedFor(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            long whole =
                    cluster.scheduler().clock().nanos() + Duration.ofSeconds(80).toNanos();
            cluster.setFileFaults((operation, path) -> operation == FileOperation.CREATE
                            && path.startsWith("data/")
                            && cluster.scheduler().clock().nanos() < whole
                    ? new Fault(0, Failure.INSTEAD)
                    : Faults.NONE);
            client.admin().flush("t");
            assertThat(cluster.scheduler().clock().nanos()).isGreaterThan(whole);
            assertThat(client.admin().operations()).isEmpty();
        });
    }

    @SeededTest(runs = 3)
    void whoWaitsWhileThereIsNoMasterIsToldWhenHisTimeIsOverAndNotBefore(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            refuseFiles(cluster);
            Operation begun = admin.startFlush("t");
            cluster.masters().forEach(cluster::kill);
            for (long millis : new long[] {3_000, 150_000}) {
                long before = cluster.scheduler().clock().nanos();
                assertThatThrownBy(() -> admin.awaitOperation(begun.id(), millis, progress -> {}))
                        .isInstanceOf(UnavailableException.class)
                        .hasMessageStartingWith("flush/t is not known to be done after ");
                assertThat((cluster.scheduler().clock().nanos() - before) / 1_000_000)
                        .isBetween(millis - 1, millis + 100);
            }
            cluster.scheduler().start("later", () -> {
                cluster.scheduler().pause(200_000);
                cluster.setFileFaults((operation, path) -> Faults.NONE);
                cluster.startMaster();
            });
            admin.awaitOperation(begun.id(), 600_000, progress -> {});
            assertThat(admin.operations()).isEmpty();
        });
    }

    /** Of a call that begins work and waits for it: a minute without a word is a minute without progress. */
    @SeededTest(runs = 3)
    void aCallDoesNotWaitADayForAMaster(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            refuseFiles(cluster);
            cluster.scheduler().start("killer", () -> {
                cluster.scheduler().pause(10_000);
                cluster.masters().forEach(cluster::kill);
            });
            long before = cluster.scheduler().clock().nanos();
            assertThatThrownBy(() -> admin.compactTable("t"))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageStartingWith("compaction/t has begun: compaction/t is not known to be done after ");
            assertThat((cluster.scheduler().clock().nanos() - before) / 1_000_000_000)
                    .isBetween(60L, 90L);
        });
    }

    @SeededTest(runs = 5)
    void splitsBehindRowsGoOnUnderTheNextMaster(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            refuseFiles(cluster);
            Operation begun = admin.startSplit("t", Bytes.utf8("e"));
            assertThat(begun.id()).isEqualTo("split/t");
            assertThat(admin.startSplit("t", Bytes.utf8("e")).tabletsLeft()).isEqualTo(1);
            assertThat(admin.startSplit("t", Bytes.utf8("l")).tabletsLeft()).isEqualTo(2);
            isUnderWayAfterTheMasterHasDied(cluster, admin, begun);
            cluster.setFileFaults((operation, path) -> Faults.NONE);
            admin.awaitOperation(begun.id(), 600_000, progress -> {});
            assertThat(ends(client)).containsExactly("d", "e", "k", "l", "p");
            assertThat(cluster.ports().locks().children(Paths.SPLITS)).isEmpty();

            // A row with which a tablet ends already is nothing to do.
            admin.awaitOperation(admin.startSplit("t", Bytes.utf8("e")).id(), 600_000, progress -> {});
            assertThat(ends(client)).hasSize(5);
            assertThatThrownBy(() -> admin.startSplit("t", Bytes.EMPTY)).isInstanceOf(RejectedException.class);
            assertThatThrownBy(() -> admin.startSplit("t", Bytes.wrap(new byte[70_000])))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("a split row of 70000 bytes");
        });
    }

    @SeededTest(runs = 3)
    void splitsOfOneTabletBehindManyRowsWaitForNoPass(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            List<String> rows = List.of("ka", "kb", "kc", "kd", "ke", "kf", "kg", "kh");
            for (String row : rows) {
                admin.startSplit("t", Bytes.utf8(row));
            }
            // Passes come every ten seconds.
            admin.awaitOperation("split/t", 45_000, progress -> {});
            assertThat(ends(client)).containsAll(rows);
        });
    }

    @SeededTest(runs = 5)
    void everyTabletIsSplitInItsMiddleOnceWhicheverMasterDoesIt(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            admin.alterTable("t", table -> table.change()
                    .group(new LocalityGroup("default", 1 << 10, "none", false, LocalityGroup.DEFAULT.bloom()))
                    .build());
            for (String row : List.of("a", "e", "l", "q")) {
                for (int i = 10; i < 30; i++) {
                    client.table("t")
                            .apply(RowMutation.of(row + i)
                                    .set("f", "q", "v".repeat(500))
                                    .build());
                }
            }
            Operation begun = admin.startSplit("t");
            assertThat(admin.startSplit("t").id()).isEqualTo(begun.id());
            List<Long> left = new ArrayList<>();
            int before = 1 + random.nextInt(4);
            while (ends(client).size() < 3 + before) {
                cluster.scheduler().pause(20);
            }
            cluster.crashActiveMaster();
            admin.awaitOperation(begun.id(), 600_000, progress -> left.add(progress.tabletsLeft()));
            assertThat(left).isSortedAccordingTo(Comparator.reverseOrder());
            // Each of the four has become two.
            assertThat(ends(client)).hasSize(7).contains("d", "k", "p");
        });
    }

    @SeededTest(runs = 5)
    void aMergeGoesOnUnderTheNextMasterHoweverLongItsTabletsCannotBeUnloaded(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            refuseFiles(cluster);
            Operation begun = admin.startMerge("t", Bytes.utf8("a"), Bytes.utf8("m"));
            assertThat(begun.id()).isEqualTo("merge/t");
            isUnderWayAfterTheMasterHasDied(cluster, admin, begun);
            // Longer than a merge is tried for at a time.
            cluster.scheduler().pause(180_000);
            cluster.setFileFaults((operation, path) -> Faults.NONE);
            admin.awaitOperation(begun.id(), 900_000, progress -> {});
            assertThat(ends(client)).containsExactly("p");
            for (String row : List.of("a", "e", "l", "q")) {
                assertThat(client.table("t").read(Bytes.utf8(row))).isPresent();
            }
            assertThat(cluster.ports().locks().children(Paths.MERGES)).isEmpty();
        });
    }

    @SeededTest(runs = 3)
    void aTabletThatCannotBeUnloadedKeepsThoseToBeMergedWithItFromBeingServedForSecondsAlone(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            admin.flush("t");
            client.table("t").apply(RowMutation.of("a").set("f", "q", "w").build());
            refuseFiles(cluster);
            admin.startMerge("t", Bytes.utf8("a"), Bytes.utf8("m"));
            long end =
                    cluster.scheduler().clock().nanos() + Duration.ofMinutes(3).toNanos();
            while (cluster.scheduler().clock().nanos() < end) {
                long before = cluster.scheduler().clock().nanos();
                assertThat(client.table("t").read(Bytes.utf8("e"))).isPresent();
                assertThat(cluster.scheduler().clock().nanos() - before).isLessThan(20_000_000_000L);
                cluster.scheduler().pause(500);
            }
            cluster.setFileFaults((operation, path) -> Faults.NONE);
            admin.awaitOperation("merge/t", 900_000, progress -> {});
            assertThat(ends(client)).containsExactly("p");
        });
    }

    @SeededTest(runs = 3)
    void whatWasBegunOnATableCanBeTakenBack(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            refuseFiles(cluster);
            admin.startFlush("t");
            admin.startSplit("t", Bytes.utf8("e"));
            admin.startMerge("t", Bytes.utf8("l"), Bytes.utf8("q"));
            admin.startCompaction("t", RowRange.ALL);
            assertThat(admin.operations())
                    .extracting(Operation::id)
                    .containsExactlyInAnyOrder("flush/t", "split/t", "merge/t", "compaction/t");
            for (Operation operation : admin.operations()) {
                admin.cancelOperation(operation.id());
            }
            assertThat(admin.operations()).isEmpty();
            for (String id : List.of("drain/s", "recovery/s/1", "t", "creation/t")) {
                assertThatThrownBy(() -> admin.cancelOperation(id)).isInstanceOf(RejectedException.class);
            }
        });
    }

    /** Each sweep begins with one look at that directory. */
    private static AtomicInteger slowSweeps(SimCluster cluster, Duration delay) {
        AtomicInteger begun = new AtomicInteger();
        cluster.setFileFaults((operation, path) -> {
            if (operation != FileOperation.LIST || !path.equals("data")) {
                return Faults.NONE;
            }
            begun.incrementAndGet();
            return new Fault(delay.toMillis(), Failure.NONE);
        });
        return begun;
    }

    /** Longer than a request may take, and longer than one is tried for. */
    @SeededTest(runs = 3)
    void aSweepIsBegunOnceHoweverLongItTakes(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            AtomicInteger begun = slowSweeps(cluster, Duration.ofSeconds(90));
            long before = cluster.scheduler().clock().nanos();
            GarbageSweep swept = client.admin().sweepGarbage(true);
            assertThat(cluster.scheduler().clock().nanos() - before).isBetween(90_000_000_000L, 100_000_000_000L);
            assertThat(begun).hasValue(1);
            assertThat(swept.isDry()).isTrue();
            assertThat(swept.tables()).isPositive();
            assertThat(client.admin().garbage().beganMicros()).isEmpty();
        });
    }

    @SeededTest(runs = 3)
    void aSweepGoesOnUnderTheNextMaster(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            AtomicInteger unused = slowSweeps(cluster, Duration.ofSeconds(30));
            Operation begun = admin.startSweep(false);
            assertThat(begun.id()).isEqualTo("sweep/garbage");
            assertThat(begun.kind()).isEqualTo(Kind.SWEEP);
            assertThat(admin.startSweep(true).id()).isEqualTo("sweep/dry");
            assertThat(admin.operations()).extracting(Operation::id).containsExactly("sweep/garbage", "sweep/dry");
            assertThatThrownBy(() -> admin.awaitOperation(begun.id(), 5_000, progress -> {}))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("it goes on");
            assertThatThrownBy(() -> admin.cancelOperation(begun.id())).isInstanceOf(RejectedException.class);
            cluster.crashActiveMaster();
            assertThat(admin.operations()).extracting(Operation::id).containsExactly("sweep/garbage", "sweep/dry");

            List<Long> left = new ArrayList<>();
            admin.awaitOperation(begun.id(), 600_000, progress -> left.add(progress.tabletsLeft()));
            assertThat(left).isNotEmpty().allSatisfy(tables -> assertThat(tables)
                    .isBetween(1L, 2L));
            admin.awaitOperation("sweep/dry", 600_000, progress -> {});
            assertThat(admin.operations()).isEmpty();
            assertThat(cluster.ports().locks().children(Paths.SWEEPS)).isEmpty();
            assertThat(admin.garbage().beganMicros()).isPresent();
            assertThat(admin.garbage(true).isDry()).isTrue();
            assertThat(admin.operation(begun.id()).isDone()).isTrue();
        });
    }

    /** What was no garbage when the first of them began may be now. */
    @SeededTest(runs = 3)
    void whoAsksForASweepWhileOneIsUnderWayHasAnotherAfterIt(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            AtomicInteger begun = slowSweeps(cluster, Duration.ofSeconds(30));
            Operation unused = admin.startSweep(false);
            while (begun.get() == 0) {
                cluster.scheduler().pause(10);
            }
            for (int i = 0; i < 5; i++) {
                unused = admin.startSweep(false);
            }
            admin.awaitOperation("sweep/garbage", 600_000, progress -> {});
            assertThat(begun).hasValue(2);
        });
    }

    @SeededTest(runs = 3)
    void aDrainThatDoesNotGetOnIsWaitedForTenMinutesAndGoesOn(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            String server = busiest(admin).address();
            // What is in memory cannot be written to files, so no tablet can leave.
            cluster.setFileFaults((operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/")
                    ? new Fault(0, Failure.INSTEAD)
                    : Faults.NONE);
            long began = cluster.scheduler().clock().nanos();
            assertThatThrownBy(() -> admin.drainServer(server))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("none has left for 10 minutes; the drain goes on");
            assertThat(cluster.scheduler().clock().nanos() - began).isBetween(600_000_000_000L, 660_000_000_000L);

            cluster.setFileFaults((operation, path) -> Faults.NONE);
            assertThat(admin.drainServer(server)).isZero();
        });
    }

    @SeededTest(runs = 5)
    void aDeadServerIsListedUntilItsTabletsAreServedAndItsLogIsInFiles(RandomGenerator random) {
        tell(random, (cluster, client) -> {
            Admin admin = client.admin();
            cluster.crash(busiest(admin).address());
            while (admin.operations().isEmpty()) {
                cluster.scheduler().pause(100);
            }
            Operation recovery = admin.operations().get(0);
            assertThat(recovery.kind()).isEqualTo(Kind.RECOVERY);
            admin.awaitOperation(recovery.id(), 600_000, progress -> {});
            assertThat(admin.operations()).isEmpty();
            assertThat(client.table("t").read(Bytes.utf8("a"))).isPresent();
        });
    }
}
