package bt.testing;

import static bt.model.Right.ADMIN;
import static bt.model.Right.CREATE;
import static bt.model.Right.READ;
import static bt.model.Right.SCRIPT;
import static bt.model.Right.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.Output;
import bt.base.RejectedException;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.client.TableSizes;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.master.MasterConfig;
import bt.metadata.Locator;
import bt.metadata.MetadataKeys;
import bt.model.AccessList;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.Regex;
import bt.model.Right;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Calls;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * Who may do what, asked by users of a cluster of simulated processes. The user "test" makes the cluster's list and the
 * table; "alice" and "bob" are others, masters and servers run as another.
 */
class AccessSimTest {
    private static final TableSchema DRAFT = TableSchema.draft("web")
            .family("contents", GcRule.KEEP_ALL)
            .family("anchor", GcRule.KEEP_ALL)
            .build();
    private static final Bytes ROW = Bytes.utf8("r");
    private static final ColumnKey PAGE = ColumnKey.of("contents", "q");
    private static final ColumnKey LINK = ColumnKey.of("anchor", "q");
    private static final Bytes VALUE = Bytes.utf8("v");
    private static final Set<Right> ALL = Right.OF_TABLES;

    /** What a test does once "test" administers the cluster and the table has a row with both families. */
    @FunctionalInterface
    private interface Story {
        void run(SimCluster cluster, Bigtable test, Bigtable alice) throws BigtableException, InterruptedException;
    }

    private static void tell(RandomGenerator random, Story story) {
        ClusterStory.tell(random, MasterConfig.DEFAULT, DRAFT, List.of(Bytes.utf8("m")), (cluster, test) -> {
            test.table("web")
                    .apply(RowMutation.of(ROW).set(PAGE, VALUE).set(LINK, VALUE).build());
            test.admin().alterAccess(list -> list.grant("test", Right.OF_CLUSTERS));
            try (Bigtable alice = cluster.client("alice")) {
                story.run(cluster, test, alice);
            }
            Checkup.of(cluster.ports());
        });
    }

    private static void grant(Bigtable by, String user, Set<Right> rights, String... family) throws BigtableException {
        by.admin().alterTable("web", now -> now.change()
                .grant(user, rights, List.of(family).stream().findFirst())
                .build());
    }

    private static void revoke(Bigtable by, String user, Set<Right> rights) throws BigtableException {
        by.admin().alterTable("web", now -> now.change()
                .revoke(user, rights, Optional.empty())
                .build());
    }

    @SeededTest(runs = 5)
    void aTableWithoutListsIsForEverybodyAndFollowsItsListsAtOnce(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            Table table = alice.table("web");
            table.apply(RowMutation.of("a").set(PAGE, VALUE).build());
            grant(test, "test", ALL);
            // No server needs a moment more to know the list.
            refused("alice", READ, () -> table.read(ROW));
            refused(
                    "alice",
                    WRITE,
                    () -> apply(table, RowMutation.of(ROW).set(PAGE, VALUE).build()));
            grant(test, "alice", Set.of(READ));
            assertThat(table.read(ROW)).isPresent();
            refused(
                    "alice",
                    WRITE,
                    () -> apply(table, RowMutation.of(ROW).deleteRow().build()));
            grant(test, AccessList.EVERYBODY, Set.of(WRITE));
            table.apply(RowMutation.of("z").set(PAGE, VALUE).build());
            cluster.crashOneServer();
            String unused = cluster.startServer();
            assertThat(table.read(ROW)).isPresent();
            revoke(test, "alice", Set.of(READ));
            refused("alice", READ, () -> table.read(ROW));
            assertThat(test.table("web").read(Bytes.utf8("z"))).isPresent();
        });
    }

    @SeededTest(runs = 5)
    void whoMayReadAFamilySeesThatAloneWhicheverWayItLooks(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            test.table("web").apply(RowMutation.of("hidden").set(PAGE, VALUE).build());
            grant(test, "test", ALL);
            grant(test, "alice", Set.of(READ, WRITE), "anchor");
            Table table = alice.table("web");
            assertThat(families(table.read(ROW))).containsExactly("anchor");
            assertThat(table.read(Bytes.utf8("hidden"))).isEmpty();
            assertThat(families(table.read(ROW, new Filter.First(5)))).containsExactly("anchor");
            try (Scanner rows = table.scan(Scan.all())) {
                assertThat(rows.next().map(Row::key)).contains(ROW);
                assertThat(rows.next()).isEmpty();
            }
            refused("alice", READ, () -> table.read(ROW, new Filter.Families(List.of("anchor", "contents"))));
            Filter peep = new Filter.Condition(new Filter.Columns(List.of(PAGE)), Filter.ALL, Filter.NONE);
            refused("alice", READ, () -> table.read(ROW, peep));
            // A condition that names nothing sees no more than a read.
            Filter quietly = new Filter.Condition(
                    new Filter.Matches(Filter.Part.FAMILY, Regex.of("contents")), Filter.ALL, Filter.NONE);
            assertThat(table.read(ROW, quietly)).isEmpty();
            assertThat(test.table("web").read(ROW, quietly)).isPresent();
        });
    }

    @SeededTest(runs = 5)
    void aWriteNeedsTheRightToAllThatItDependsOnAndMayDo(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            grant(test, "test", ALL);
            grant(test, "alice", Set.of(WRITE), "contents");
            grant(test, "test", ALL);
            grant(test, "alice", Set.of(READ, WRITE), "anchor");
            Table table = alice.table("web");
            table.apply(RowMutation.of(ROW).set(PAGE, VALUE).set(LINK, VALUE).build());
            table.apply(RowMutation.of("gone").deleteRow().build());
            assertThat(table.append(ROW, LINK, VALUE)).isEqualTo(2);
            refused("alice", READ, () -> table.append(ROW, PAGE, VALUE));
            RowMutation harmless = RowMutation.of(ROW).set(LINK, VALUE).build();
            refused("alice", READ, () -> table.apply(ConditionalMutation.when(columns(PAGE), harmless)));
            assertThat(table.apply(ConditionalMutation.when(columns(LINK), harmless)))
                    .isTrue();
            // What it may not see is not there: for the predicate, and for what a transaction has seen.
            Filter inContents = new Filter.Matches(Filter.Part.FAMILY, Regex.of("contents"));
            assertThat(table.apply(ConditionalMutation.when(inContents, harmless)))
                    .isFalse();
            boolean found = table.transact(ROW, tx -> {
                boolean seen = tx.read().isPresent();
                tx.set(LINK, Bytes.utf8("new"));
                return seen;
            });
            assertThat(found).isTrue();
            test.admin().alterTable("web", now -> now.change()
                    .revoke("alice", Set.of(WRITE), Optional.of("contents"))
                    .build());
            RowMutation both = RowMutation.of(ROW).set(PAGE, VALUE).build();
            refused(
                    "alice",
                    WRITE,
                    () -> table.apply(
                            ConditionalMutation.when(columns(LINK), harmless).otherwise(both)));
            refused(
                    "alice",
                    WRITE,
                    () -> apply(table, RowMutation.of(ROW).deleteRow().build()));
            table.apply(RowMutation.of(ROW).deleteFamily("anchor").build());
            assertThat(families(test.table("web").read(ROW))).containsExactly("contents");
        });
    }

    @SeededTest(runs = 5)
    void aScriptSeesWhatItsUserMayBothReadAndRunScriptsOver(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            grant(test, "test", ALL);
            grant(test, "alice", Set.of(READ));
            Table table = alice.table("web");
            Filter script = new Filter.Script(SuffixScripts.NAME, "", VALUE);
            refused("alice", SCRIPT, () -> table.read(ROW, script));
            grant(test, "alice", Set.of(SCRIPT, WRITE), "anchor");
            assertThat(families(table.read(ROW, script))).containsExactly("anchor");
            assertThat(families(table.read(ROW))).containsExactly("contents", "anchor");
            Filter pages = new Filter.Chain(List.of(new Filter.Families(List.of("contents")), script));
            refused("alice", SCRIPT, () -> table.read(ROW, pages));
            RowMutation link = RowMutation.of(ROW).set(LINK, VALUE).build();
            refused("alice", SCRIPT, () -> table.apply(ConditionalMutation.when(pages, link)));
            assertThat(table.apply(ConditionalMutation.when(script, link))).isTrue();
            // Beside a script other reads of a transaction see what they always do, when it is applied too.
            int seen = table.transact(ROW, tx -> {
                int cells = tx.read(script).orElseThrow().cells().size()
                        + tx.read().orElseThrow().cells().size();
                tx.set(LINK, Bytes.utf8("new"));
                return cells;
            });
            assertThat(seen).isGreaterThanOrEqualTo(3);
            assertThat(table.read(ROW, columns(LINK)).orElseThrow().value(LINK)).contains(Bytes.utf8("new"));
            refused("bob", READ, () -> read(cluster, "bob", "web"));
        });
    }

    @SeededTest(runs = 3)
    void sizesAreToldOfTheFamiliesThatOneMayReadOrAdminister(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            test.admin().flush("web");
            assertThat(weighed(alice)).containsExactly("contents", "anchor");
            grant(test, "alice", Set.of(READ), "anchor");
            assertThat(weighed(alice)).containsExactly("anchor");
            TableSizes some = alice.admin().sizes("web");
            assertThat(some.families().get(0).fileCells()).isEqualTo(1);
            // Its locality group has the other family too, and so have all its files.
            assertThat(some.groups()).isEmpty();
            assertThat(some.elsewhere().count()).isZero();
            assertThat(weighed(test)).containsExactly("contents", "anchor");
            assertThat(test.admin().sizes("web").groups()).hasSize(1);
            grant(test, "alice", Set.of(ADMIN), "contents");
            assertThat(weighed(alice)).containsExactly("contents", "anchor");
            grant(test, "alice", Set.of(WRITE));
            try (Bigtable bob = cluster.client("bob")) {
                assertThat(weighed(bob)).isEmpty();
            }
        });
    }

    private static List<String> weighed(Bigtable bigtable) throws BigtableException {
        return bigtable.admin().sizes("web").families().stream()
                .map(TableSizes.Family::name)
                .toList();
    }

    @SeededTest(runs = 5)
    void theMasterAndTheServersAskWhoOrders(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            String lacks = "user alice has not the right admin";
            String creates = "the cluster: user alice has not the right create";
            TableSchema draft =
                    TableSchema.draft("hers").family("f", GcRule.KEEP_ALL).build();
            rejected(creates, () -> alice.admin().createTable(draft, List.of()));
            rejected(lacks, () -> alice.admin().dropTable("web"));
            rejected(lacks, () -> alice.admin().flush("web"));
            rejected(lacks, () -> alice.admin().startCompaction("web", RowRange.ALL));
            rejected(lacks, () -> alice.admin().cancelCompaction("web"));
            rejected(lacks, () -> alice.admin().splitTablet("web", Bytes.utf8("q")));
            rejected(lacks, () -> alice.admin().splitTablet("METADATA", Bytes.utf8("q")));
            rejected(lacks, () -> alice.admin().mergeTablets("web", Bytes.utf8("a"), Bytes.utf8("z")));
            rejected(lacks, () -> alice.admin()
                    .moveTablet("web", ROW, cluster.servers().get(0)));
            rejected(lacks, () -> alice.admin().drainServer(cluster.servers().get(0)));
            rejected(lacks, () -> alice.admin().sweepGarbage(true));
            rejected(lacks, () -> alice.admin().slowRequests(Optional.empty(), Optional.empty(), 1));
            rejected(lacks, () -> alice.admin().processExited("p"));
            rejected(lacks, () -> alice.admin().stopCluster());
            rejected(lacks, () -> alice.admin().alterAccess(list -> list.grant("alice", Set.of(ADMIN))));
            rejected(lacks, () -> grant(alice, "alice", ALL));
            rejected(lacks, () -> deleteFromMetadata(cluster, "alice"));
            Filter script = new Filter.Script(SuffixScripts.NAME, "", Bytes.EMPTY);
            rejected(lacks, () -> scanMetadata(cluster, "alice", script));
            scanMetadata(cluster, "alice", Filter.ALL);
            scanMetadata(cluster, "test", script);
            assertThat(alice.admin().clusterStatus().servers()).isNotEmpty();
            assertThat(alice.admin().garbage()).isNotNull();

            test.admin().alterAccess(list -> list.grant("alice", Set.of(CREATE)));
            alice.admin().createTable(draft, List.of());
            // It is hers alone from the first moment on, but for those who administer the cluster.
            refused("bob", READ, () -> read(cluster, "bob", "hers"));
            alice.admin().splitTablet("hers", Bytes.utf8("q"));
            alice.admin().flush("hers");
            alice.admin().compactTable("hers");
            Admin bobs = cluster.client("bob").admin();
            refused("bob", ADMIN, () -> bobs.truncateTable("hers"));
            refused("bob", ADMIN, () -> bobs.startFlush("hers"));
            refused("bob", ADMIN, () -> bobs.startSplit("hers"));
            refused("bob", ADMIN, () -> bobs.startMerge("hers", Bytes.utf8("a"), Bytes.utf8("z")));
            refused("bob", ADMIN, () -> bobs.cancelOperation("flush/hers"));
            alice.admin().startFlush("hers");
            alice.admin().cancelOperation("flush/hers");
            // The rights go with the name.
            alice.admin().truncateTable("hers");
            refused("bob", READ, () -> read(cluster, "bob", "hers"));
            alice.admin().dropTable("hers");
            alice.admin().undeleteTable("hers");
            test.admin().dropTable("hers");
        });
    }

    @SeededTest(runs = 5)
    void whoAdministersAFamilyChangesThatAlone(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            grant(test, "alice", Set.of(ADMIN), "anchor");
            alice.admin().alterTable("web", now -> now.change()
                    .garbage("anchor", new GcRule.MaxVersions(2))
                    .grant("bob", Set.of(READ), Optional.of("anchor"))
                    .build());
            rejected("table web: user alice has not the right admin", () -> alice.admin()
                    .alterTable("web", now -> now.change()
                            .garbage("contents", new GcRule.MaxVersions(2))
                            .build()));
            rejected("table web: user alice has not the right admin", () -> grant(alice, "alice", Set.of(READ)));
            rejected("table web: user alice has not the right admin", () -> alice.admin()
                    .alterTable("web", now -> now.change()
                            .addFamily("more", GcRule.KEEP_ALL)
                            .build()));
            alice.admin()
                    .alterTable("web", now -> now.change().dropFamily("anchor").build());
            assertThat(test.table("web").schema().families()).hasSize(1);
        });
    }

    @SeededTest(runs = 5)
    void aClusterHasAnAdministratorAlwaysAndItsOwnProcessesAreNotLockedOut(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            rejected(
                    "nobody would be left", () -> test.admin().alterAccess(list -> list.revoke("test", Set.of(ADMIN))));
            test.admin().alterAccess(list -> list.grant("alice", Set.of(ADMIN)));
            alice.admin().alterAccess(list -> list.revoke("test", Right.OF_CLUSTERS));
            rejected("user test has not the right admin", () -> grant(test, "test", ALL));
            grant(alice, "alice", ALL);
            // Neither the master nor a server is in any list.
            cluster.crashActiveMaster();
            cluster.crashOneServer();
            String unused = cluster.startServer();
            assertThat(alice.table("web").read(ROW)).isPresent();
            alice.admin().splitTablet("web", Bytes.utf8("b"));
            assertThat(alice.admin().access().orElseThrow().users()).containsOnlyKeys("alice");
        });
    }

    @SeededTest(runs = 3)
    void aDamagedListLocksOutAllButTheClustersOwnUserWhoBeginsANewOne(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            LockService locks = cluster.locks().session("vandal", 6_000);
            long version = locks.read(Paths.ACCESS).orElseThrow().version();
            SmallFile unused = locks.write(Paths.ACCESS, Bytes.utf8("?"), version);
            assertThatThrownBy(() -> grant(test, "test", ALL)).isInstanceOf(CorruptionException.class);
            assertThatThrownBy(() -> test.admin().alterAccess(list -> list.grant("test", Right.OF_CLUSTERS)))
                    .isInstanceOf(CorruptionException.class);
            try (Bigtable owner = cluster.client("master-console")) {
                owner.admin()
                        .createTable(
                                TableSchema.draft("more")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                List.of());
                grant(owner, "alice", ALL);
                rejected("nobody would be left", () -> owner.admin()
                        .alterAccess(list -> list.grant("ada", Set.of(CREATE))));
                owner.admin().alterAccess(list -> list.grant("ada", Right.OF_CLUSTERS));
                assertThat(owner.table("more")
                                .schema()
                                .access()
                                .orElseThrow()
                                .table()
                                .users())
                        .containsOnlyKeys(SimNetwork.OWNER);
            }
            assertThat(test.admin().access().orElseThrow().users()).containsOnlyKeys("ada");
        });
    }

    @SeededTest(runs = 1)
    void aListThatALaterProgramWroteIsNotReplaced(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            LockService locks = cluster.locks().session("later", 6_000);
            SmallFile before = locks.read(Paths.ACCESS).orElseThrow();
            // Two types of records, the first of 100 fields.
            Bytes later = new Output()
                    .raw(Bytes.hex("00026401"))
                    .raw(before.content())
                    .toBytes();
            SmallFile unused = locks.write(Paths.ACCESS, later, before.version());
            try (Bigtable owner = cluster.client("master-console")) {
                assertThatThrownBy(() -> owner.admin().alterAccess(list -> list.grant("ada", Right.OF_CLUSTERS)))
                        .isInstanceOf(CorruptionException.class)
                        .hasMessageContaining("use a later one");
            }
            SmallFile after = locks.read(Paths.ACCESS).orElseThrow();
            assertThat(after.content()).isEqualTo(later);
            SmallFile unusedMended = locks.write(Paths.ACCESS, before.content(), after.version());
        });
    }

    @SeededTest(runs = 1)
    void aTableWhoseListHasNoPlaceForItsCreatorIsRefused(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            SortedMap<String, Set<Right>> others = new TreeMap<>();
            for (int i = 0; i < AccessList.MAX_USERS; i++) {
                others.put("user-" + i, Set.of(READ));
            }
            TableAccess full = new TableAccess(new AccessList(others), new TreeMap<>());
            TableSchema draft = TableSchema.draft("full")
                    .family("f", GcRule.KEEP_ALL)
                    .build()
                    .with(Optional.of(full));
            rejected("with its creator, test: rights for 1001 users", () -> test.admin()
                    .createTable(draft, List.of()));
            test.admin().splitTablet("web", Bytes.utf8("b"));
        });
    }

    @SeededTest(runs = 1)
    void aTableIsCreatedWithTheListThatItIsToHave(RandomGenerator random) {
        tell(random, (cluster, test, alice) -> {
            AccessList hers = AccessList.NOBODY.grant("alice", Set.of(ADMIN));
            TableSchema created = test.admin().createTable(listed("hers", hers));
            assertThat(created.access()).contains(new TableAccess(hers, new TreeMap<>()));
            assertThat(created.version()).isEqualTo(1);

            // Nobody of the table's could change this one.
            AccessList read = AccessList.NOBODY.grant("alice", Set.of(READ));
            TableAccess given =
                    test.admin().createTable(listed("read", read)).access().orElseThrow();
            assertThat(given.table()).isEqualTo(read.grant("test", Right.OF_TABLES));
        });
    }

    private static TableSchema listed(String name, AccessList list) {
        return TableSchema.draft(name)
                .family("f", GcRule.KEEP_ALL)
                .build()
                .with(Optional.of(new TableAccess(list, new TreeMap<>())));
    }

    @SeededTest(runs = 3)
    void inAClusterWithoutAListATableHasNone(RandomGenerator random) {
        ClusterStory.tell(random, MasterConfig.DEFAULT, DRAFT, List.of(), (cluster, test) -> {
            rejected("first grant test the right admin of the cluster", () -> grant(test, "alice", Set.of(READ)));
            rejected(
                    "nobody would be left", () -> test.admin().alterAccess(list -> list.grant("test", Set.of(CREATE))));
            rejected("read, write and script are rights of a table", () -> test.admin()
                    .alterAccess(list -> list.grant("test", Set.of(ADMIN, READ))));
            assertThat(cluster.lockServiceHas(Paths.ACCESS)).isFalse();
            test.admin().alterAccess(list -> list.grant("test", Set.of(ADMIN)));
            grant(test, "alice", Set.of(READ));
        });
    }

    private static Filter columns(ColumnKey column) {
        return new Filter.Columns(List.of(column));
    }

    private static void apply(Table table, RowMutation mutation) throws BigtableException {
        long unused = table.apply(mutation);
    }

    /** As no client of ours would: past the library, which refuses by itself. */
    private static void deleteFromMetadata(SimCluster cluster, String user)
            throws BigtableException, InterruptedException {
        Bytes row = MetadataKeys.of(new TabletId(1, Optional.empty()));
        Calls calls = calls(cluster, user);
        Deadline deadline = Deadline.after(cluster.scheduler().clock(), 10_000);
        Address server = serverOf(row, calls, cluster, user);
        Write write = new Write(RowMutation.of(row).deleteRow().build(), new WriteId(5, 1, 1), Optional.empty());
        List<WriteResult> unused =
                calls.mutate(server, new Request.Mutate(TableSchema.METADATA_ID, List.of(write)), deadline);
    }

    private static void scanMetadata(SimCluster cluster, String user, Filter filter)
            throws BigtableException, InterruptedException {
        Bytes row = MetadataKeys.of(new TabletId(1, Optional.empty()));
        Calls calls = calls(cluster, user);
        Request.Scan scan = new Request.Scan(
                TableSchema.METADATA_ID, RowWalk.over(RowRange.row(row)), filter, PageBounds.DEFAULT, Optional.empty());
        Answer.Page unused = calls.scan(
                serverOf(row, calls, cluster, user),
                scan,
                Deadline.after(cluster.scheduler().clock(), 10_000));
    }

    private static Calls calls(SimCluster cluster, String user) {
        return new Calls(cluster.network().of(user), cluster.scheduler(), 10_000);
    }

    /** Of a row of METADATA. */
    private static Address serverOf(Bytes row, Calls calls, SimCluster cluster, String user)
            throws BigtableException, InterruptedException {
        return new Locator(calls, cluster.locks().session(user, 6_000))
                .locate(
                        TableSchema.METADATA_ID,
                        row,
                        Deadline.after(cluster.scheduler().clock(), 10_000))
                .address();
    }

    private static void read(SimCluster cluster, String user, String table) throws BigtableException {
        try (Bigtable bigtable = cluster.client(user)) {
            Optional<Row> unused = bigtable.table(table).read(ROW);
        }
    }

    private static List<String> families(Optional<Row> row) {
        return row.orElseThrow().cells().stream()
                .map(Cell::column)
                .map(ColumnKey::family)
                .distinct()
                .toList();
    }

    private static void refused(String user, Right right, ThrowingCallable call) {
        rejected("user " + user + " has not the right " + right.text() + ": an administrator", call);
    }

    private static void rejected(String fact, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(fact)
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("\n"))
                .extracting(failure -> ((BigtableException) failure).outcome())
                .isEqualTo(Outcome.NOT_APPLIED);
    }
}
