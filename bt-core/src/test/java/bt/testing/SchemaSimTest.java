package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.master.Graces;
import bt.master.MasterConfig;
import bt.master.MergeConfig;
import bt.metadata.TableFile;
import bt.model.ColumnKey;
import bt.model.DroppedTable;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.LocalityGroup;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.record.FamilyRecord;
import bt.record.TableRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Tables that change, go and come back while servers and masters die: nothing kept is lost, nothing dropped returns. */
class SchemaSimTest {
    private static final ColumnKey KEPT = ColumnKey.of("kept", "q");
    private static final ColumnKey LEFT = ColumnKey.of("left", "q");
    private static final TableSchema DRAFT = TableSchema.draft("t")
            .family("kept", GcRule.KEEP_ALL)
            .family("left", GcRule.KEEP_ALL)
            .build();
    private static final List<Bytes> SPLITS = List.of(Bytes.utf8("h"), Bytes.utf8("p"));
    private static final int ROWS = 30;

    private static void simulate(RandomGenerator random, MasterConfig config, ClusterStory story) {
        ClusterStory.tell(random, config, DRAFT, SPLITS, story);
    }

    @SeededTest(runs = 10)
    void aDroppedFamilyStaysGoneAndItsNameBeginsAnew(RandomGenerator random) {
        simulate(random, MasterConfig.DEFAULT, (cluster, client) -> {
            Table table = client.table("t");
            Map<Bytes, Bytes> kept = fill(table, random);
            crashSomebody(cluster, random);
            TableSchema dropped = client.admin()
                    .alterTable("t", now -> now.change().dropFamily("left").build());
            assertThatThrownBy(() -> table.apply(
                            RowMutation.of("a").set(LEFT, Bytes.utf8("late")).build()))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("has no family left");
            crashSomebody(cluster, random);
            TableSchema altered = client.admin().alterTable("t", now -> now.change()
                    .group(new LocalityGroup("apart", 1 << 14, "none", false, LocalityGroup.DEFAULT.bloom()))
                    .addFamily("left", "apart", GcRule.KEEP_ALL)
                    .moveFamily("kept", "apart")
                    .build());
            assertThat(altered.version()).isEqualTo(dropped.version() + 1);
            assertThat(altered.family("left").orElseThrow().id()).isEqualTo(3);

            // No server needs a moment more to know the family.
            table.apply(RowMutation.of("new").set(LEFT, Bytes.utf8("new")).build());
            crashSomebody(cluster, random);
            check(table, kept, Optional.empty());
            assertThat(table.read(Bytes.utf8("new")).flatMap(row -> row.value(LEFT)))
                    .contains(Bytes.utf8("new"));
        });
    }

    @SeededTest(runs = 1)
    void splitRowsThatATableCannotBeginWithAreRefusedWithWhatToDo(RandomGenerator random) {
        simulate(random, MasterConfig.DEFAULT, (cluster, client) -> {
            TableSchema draft =
                    TableSchema.draft("many").family("f", GcRule.KEEP_ALL).build();
            Bytes row = Bytes.utf8("m");
            Map<List<Bytes>, String> refused = Map.of(
                    IntStream.rangeClosed(0, 10_000)
                            .mapToObj(i -> Bytes.utf8("row" + i))
                            .toList(),
                    "10001 split rows, at most 10000 at creation: create it with fewer, and have its tablets split then",
                    List.of(Bytes.wrap(new byte[Limits.ROW_BYTES + 1])),
                    "a split row of 65537 bytes: name rows of 1 to 65536",
                    IntStream.range(0, 17)
                            .mapToObj(i -> Bytes.utf8("r".repeat(Limits.ROW_BYTES - 2) + (char) ('a' + i)))
                            .toList(),
                    "1114095 bytes of split rows, at most 1048576 together at creation: name shorter ones, which need not"
                            + " be row keys that there are, or fewer, and have its tablets split then",
                    List.of(row, row),
                    "the split row m is given twice: name each once");
            for (Map.Entry<List<Bytes>, String> each : refused.entrySet()) {
                assertThatThrownBy(() -> client.admin().createTable(draft, each.getKey()))
                        .isInstanceOf(RejectedException.class)
                        .hasMessage("table many: " + each.getValue());
            }
            assertThat(client.admin().table("many")).isEmpty();
        });
    }

    /** Of the story's table three. A table with one tablet takes 1,653 bytes and its name, nine tablets with names of 4 bytes 7,360. */
    @SeededTest(runs = 5)
    void tabletsForWhichTheMasterHasNoRoomAreRefusedAndTheNextOneServes(RandomGenerator random) {
        simulate(random, MasterConfig.DEFAULT.knowing(15_412), (cluster, client) -> {
            List<Bytes> rows =
                    IntStream.range(0, 8).mapToObj(i -> Bytes.utf8("row" + i)).toList();
            client.admin().createTable(draft("first"), rows);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> client.admin().createTable(draft("second"), rows))
                        .as("before and after the master sees the tablets of the first")
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining(
                                "table second: 9 more tablets, and 853 bytes of a description, take 8213 bytes of the"
                                        + " master's memory; 12 tablets with names of ")
                        .hasMessageContaining(" of 15412 bytes: drop tables or merge tablets, or give");
                assertThatThrownBy(() -> client.admin().truncateTable("first"))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("9 more tablets");
                cluster.crashActiveMaster();
                cluster.startMaster();
                cluster.scheduler().pause(10_000);
            }
            assertThat(client.admin().table("second")).isEmpty();
            client.admin().createTable(draft("small"), List.of());
            assertThatThrownBy(() -> client.admin().createTable(draft("more"), rows.subList(0, 1)))
                    .isInstanceOf(RejectedException.class);
            cluster.scheduler().pause(10_000);
            assertThat(client.admin().clusterStatus().problems()).isEmpty();

            client.admin().createTable(draft("last"), List.of());
            cluster.scheduler().pause(10_000);
            assertThat(client.admin().clusterStatus().problems())
                    .singleElement()
                    .asString()
                    .startsWith("no table is created, and no tablet split")
                    .contains(" of 15412 bytes: drop tables or merge tablets");
            assertThatThrownBy(() -> client.admin().splitTablet("first", Bytes.utf8("row00")))
                    .as("which a tablet's server is asked for")
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("the tablet that ends with row row1 is not split: no table is created")
                    .hasMessageContaining("have it split when there is room");
            client.admin().dropTable("last");
            client.table("small")
                    .apply(RowMutation.of("a").set(LEFT, Bytes.utf8("value")).build());
            client.table("first")
                    .apply(RowMutation.of("a").set(LEFT, Bytes.utf8("value")).build());
        });
    }

    @SeededTest(runs = 5)
    void descriptionsForWhichTheMasterHasNoRoomAreRefusedAndTheNextOneServes(RandomGenerator random) {
        simulate(random, MasterConfig.DEFAULT.knowing(190_000), (cluster, client) -> {
            // 400 families take some 400 bytes each, with their names three times.
            client.admin().createTable(wide("wide", 400), List.of());
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> client.admin().createTable(wide("wider", 100), List.of()))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("table wider: 1 more tablets, and ")
                        .hasMessageContaining(" bytes of a description, take ")
                        .hasMessageContaining(" of 190000 bytes: drop tables");
                assertThatThrownBy(() -> client.admin().alterTable("wide", now -> more(now, 100)))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("table wide: ")
                        .hasMessageContaining(" bytes of a description more take ");
                assertThatThrownBy(() -> client.admin().truncateTable("wide"))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("table wide: 1 more tablets, and ");
                cluster.crashActiveMaster();
                cluster.startMaster();
                cluster.scheduler().pause(10_000);
            }
            client.admin().alterTable("wide", now -> {
                SchemaChange fewer = now.change();
                IntStream.range(0, 200).forEach(i -> fewer.dropFamily("f" + i));
                return fewer.build();
            });
            client.admin().createTable(wide("wider", 100), List.of());
            client.table("wide")
                    .apply(RowMutation.of("a").set("f399", "q", "value").build());
            client.admin().dropTable("wide");
            client.table("wider")
                    .apply(RowMutation.of("a").set("f0", "q", "value").build());
        });
    }

    private static TableSchema wide(String name, int families) {
        TableSchema.Builder draft = TableSchema.draft(name);
        IntStream.range(0, families).forEach(i -> draft.family("f" + i, GcRule.KEEP_ALL));
        return draft.build();
    }

    private static TableSchema more(TableSchema now, int families) {
        SchemaChange more = now.change();
        IntStream.range(0, families).forEach(i -> more.addFamily("more" + i, GcRule.KEEP_ALL));
        return more.build();
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("left", GcRule.KEEP_ALL).build();
    }

    @SeededTest(runs = 10)
    void aDroppedTableIsRefusedAndComesBackWithAllThatItHad(RandomGenerator random) {
        simulate(random, MasterConfig.DEFAULT, (cluster, client) -> {
            Table table = client.table("t");
            Map<Bytes, Bytes> kept = fill(table, random);
            crashSomebody(cluster, random);
            client.admin().dropTable("t");
            assertThatThrownBy(() -> table.read(Bytes.utf8("a")))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("was dropped");
            assertThatThrownBy(() -> client.table("t")).isInstanceOf(RejectedException.class);
            assertThat(client.admin().droppedTables())
                    .extracting(DroppedTable::schema)
                    .extracting(TableSchema::name)
                    .containsExactly("t");
            crashSomebody(cluster, random);
            cluster.scheduler().pause(random.nextLong(30_000));
            crashSomebody(cluster, random);
            if (random.nextBoolean()) {
                // The name is free meanwhile; who took it keeps it.
                TableSchema second = client.admin().createTable(DRAFT, List.of());
                assertThat(second.id()).isGreaterThan(table.schema().id());
                assertThatThrownBy(() -> client.admin().undeleteTable("t"))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("another table bears the name");
                return;
            }
            TableSchema back = client.admin().undeleteTable("t");
            assertThat(back.id()).isEqualTo(table.schema().id());
            check(table, kept, Optional.of(LEFT));
            assertThat(client.admin().droppedTables()).isEmpty();
        });
    }

    /** Of a time when it might have thousands: it gets no more, and all else goes on. */
    @SeededTest(runs = 3)
    void aTableWithMoreFamiliesThanItMayHaveKeepsThem(RandomGenerator random) {
        simulate(random, MasterConfig.DEFAULT, (cluster, client) -> {
            Map<Bytes, Bytes> kept = fill(client.table("t"), random);
            int families = Limits.FAMILIES + 100;
            give(cluster, client.table("t").schema(), families);
            cluster.crashOneServer();
            cluster.startServer();
            cluster.crashActiveMaster();
            cluster.startMaster();
            String last = "f" + families;
            assertThatThrownBy(() -> client.admin().alterTable("t", now -> now.change()
                            .addFamily("more", GcRule.KEEP_ALL)
                            .build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("t has 601 families, more than 600: use fewer of them");
            Table table = client.table("t");
            table.apply(RowMutation.of("a").set(last, "q", "v").build());
            check(table, kept, Optional.of(LEFT));
            TableSchema fewer = client.admin()
                    .alterTable("t", now -> now.change().dropFamily(last).build());
            assertThat(fewer.families()).hasSize(families - 1);
            client.admin().dropTable("t");
            client.admin().undeleteTable("t");
            check(client.table("t"), kept, Optional.of(LEFT));
        });
    }

    /** As an earlier master would have. */
    private static void give(SimCluster cluster, TableSchema table, int families) throws BigtableException {
        String path = Paths.table(table.id());
        SmallFile file = cluster.ports().locks().read(path).orElseThrow();
        TableRecord before = TableFile.decode(path, file.content());
        List<FamilyRecord> all = new ArrayList<>(before.getFamilies());
        for (int id = before.getNextFamilyId(); id <= families; id++) {
            all.add(FamilyRecord.newBuilder(all.get(0))
                    .setId(id)
                    .setName("f" + id)
                    .build());
        }
        TableRecord wide = TableRecord.newBuilder(before)
                .setVersion(before.getVersion() + 1)
                .setNextFamilyId(families + 1)
                .setFamilies(all)
                .build();
        cluster.ports().locks().write(path, TableFile.encode(wide), file.version());
    }

    @SeededTest(runs = 5)
    void afterItsTimeADroppedTableCannotComeBack(RandomGenerator random) {
        MasterConfig soon = new MasterConfig(
                6_000,
                300,
                10_000,
                5_000,
                new Graces(20_000, 3_600_000, 86_400_000),
                MergeConfig.DEFAULT,
                3_000,
                0,
                10_000);
        simulate(random, soon, (cluster, client) -> {
            fill(client.table("t"), random);
            client.admin().dropTable("t");
            crashSomebody(cluster, random);
            do {
                cluster.scheduler().pause(5_000);
            } while (!client.admin().droppedTables().isEmpty());
            assertThatThrownBy(() -> client.admin().undeleteTable("t"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("no dropped table t can come back");
            client.admin().createTable(DRAFT, SPLITS);
            assertThat(client.table("t").read(Bytes.utf8("a"))).isEmpty();
        });
    }

    @SeededTest(runs = 10)
    void changesOfManyAreAllMade(RandomGenerator random) {
        simulate(random, MasterConfig.DEFAULT, (cluster, client) -> {
            CompletableFuture<?>[] all = new CompletableFuture<?>[4];
            for (int i = 0; i < all.length; i++) {
                String family = "f" + i;
                CompletableFuture<Void> done = new CompletableFuture<>();
                all[i] = done;
                cluster.scheduler().start("alter-" + i, () -> {
                    try {
                        addFamily(client, family);
                        client.table("t")
                                .apply(RowMutation.of("r").set(family, "q", "v").build());
                        done.complete(null);
                    } catch (BigtableException | RuntimeException failed) {
                        done.completeExceptionally(failed);
                    }
                });
            }
            cluster.scheduler().pause(random.nextLong(300));
            crashSomebody(cluster, random);
            for (CompletableFuture<?> each : all) {
                cluster.scheduler().await(each, 600_000);
            }
            Row row = client.table("t").read(Bytes.utf8("r")).orElseThrow();
            assertThat(row.cells()).hasSize(all.length);
            assertThat(client.table("t").schema().version()).isEqualTo(1 + all.length);
        });
    }

    /** Whoever is told that it is not known whether it was done, and that others have changed the table since, decides again. */
    private static void addFamily(Bigtable client, String family) throws BigtableException, InterruptedException {
        boolean isKnown = false;
        while (!isKnown) {
            try {
                client.admin()
                        .alterTable(
                                "t",
                                now -> now.family(family).isPresent()
                                        ? now
                                        : now.change()
                                                .addFamily(family, GcRule.KEEP_ALL)
                                                .build());
                isKnown = true;
            } catch (RejectedException inDoubt) {
                assertThat(inDoubt.outcome()).isEqualTo(BigtableException.Outcome.UNKNOWN);
            }
        }
    }

    private static Map<Bytes, Bytes> fill(Table table, RandomGenerator random) throws BigtableException {
        Map<Bytes, Bytes> kept = new TreeMap<>();
        for (int i = 0; i < ROWS; i++) {
            Bytes row = Bytes.utf8((char) ('a' + random.nextInt(26)) + "/" + i);
            Bytes value = Bytes.wrap(new byte[random.nextInt(1, 2_000)]);
            table.apply(RowMutation.of(row).set(KEPT, value).set(LEFT, value).build());
            kept.put(row, value);
        }
        return kept;
    }

    private static void check(Table table, Map<Bytes, Bytes> kept, Optional<ColumnKey> alsoIn)
            throws BigtableException {
        for (Map.Entry<Bytes, Bytes> entry : kept.entrySet()) {
            Optional<Row> row = table.read(entry.getKey());
            assertThat(row.flatMap(found -> found.value(KEPT)))
                    .as("row %s", entry.getKey())
                    .contains(entry.getValue());
            assertThat(row.flatMap(found -> found.value(LEFT))).isEqualTo(alsoIn.map(column -> entry.getValue()));
        }
    }

    /** A server, or the master, or nobody. */
    private static void crashSomebody(SimCluster cluster, RandomGenerator random) throws BigtableException {
        switch (random.nextInt(3)) {
            case 0 -> {
                cluster.crashOneServer();
                cluster.startServer();
            }
            case 1 -> {
                cluster.crashActiveMaster();
                cluster.startMaster();
            }
            default -> {}
        }
    }
}
