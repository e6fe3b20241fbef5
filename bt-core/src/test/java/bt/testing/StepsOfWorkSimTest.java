package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.Table;
import bt.coord.Paths;
import bt.metadata.MetadataKeys;
import bt.metadata.ProcessFiles;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.TruncateTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an operator asks for, and a master or a server dies at a step of it that outlives the process: at the first, the
 * second, and so on, as long as there is one. Then the cluster is whole, and all rows are there.
 */
class StepsOfWorkSimTest {
    private static final List<String> ROWS = List.of("a", "ba", "bc", "ca");

    private static final Bytes BORDER = MetadataKeys.of(new TabletId(1, Optional.of(Bytes.utf8("b"))));

    /** What no two of the works below reach, so that they end. */
    private static final int MOST_STEPS = 30;

    private static final List<CrashPoint> POINTS = List.of(
            CrashPoint.BEFORE_METADATA_CHANGES,
            CrashPoint.AFTER_METADATA_CHANGES,
            CrashPoint.BEFORE_NODE_IS_CREATED,
            CrashPoint.AFTER_NODE_IS_CREATED,
            CrashPoint.BEFORE_NODE_IS_SET,
            CrashPoint.AFTER_NODE_IS_SET,
            CrashPoint.BEFORE_NODE_IS_DELETED,
            CrashPoint.AFTER_NODE_IS_DELETED);

    /** Each is done with the table {@code t}, of three tablets, or beside it. */
    enum Work {
        SPLIT {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                admin.splitTablet("t", Bytes.utf8("bb"));
            }
        },
        MERGE {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                admin.mergeTablets("t", Bytes.utf8("a"), Bytes.utf8("bc"));
            }
        },
        BEGIN_A_SPLIT {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                admin.awaitOperation(admin.startSplit("t", Bytes.utf8("bb")).id(), 600_000, progress -> {});
            }
        },
        BEGIN_A_MERGE {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                String id =
                        admin.startMerge("t", Bytes.utf8("a"), Bytes.utf8("bc")).id();
                admin.awaitOperation(id, 600_000, progress -> {});
            }
        },
        MOVE {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                for (String server : cluster.servers()) {
                    admin.moveTablet("t", Bytes.utf8("ba"), server + ":1");
                }
            }
        },
        SPLIT_AND_MOVE_METADATA {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                admin.splitTablet("METADATA", BORDER);
                for (String server : cluster.servers()) {
                    admin.moveTablet("METADATA", BORDER.successor(), server + ":1");
                }
            }
        },
        CREATE {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                TableSchema unused = admin.createTable(draft("other"), List.of(Bytes.utf8("m")));
            }
        },
        ALTER {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                TableSchema unused = admin.alterTable(
                        "t", now -> now.change().dropFamily("g").build());
            }
        },
        DROP_AND_UNDELETE {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                admin.dropTable("t");
                TableSchema unused = admin.undeleteTable("t");
            }
        },
        DRAIN {
            @Override
            void ask(Admin admin, SimCluster cluster) throws BigtableException {
                int unused = admin.drainServer(cluster.servers().get(0) + ":1");
            }
        };

        abstract void ask(Admin admin, SimCluster cluster) throws BigtableException;
    }

    @ParameterizedTest
    @EnumSource
    void whoeverDiesAtAStepOfItNothingIsLost(Work work) {
        int deaths = 0;
        for (CrashPoint point : POINTS) {
            int step = 1;
            while (step <= MOST_STEPS && dies(work, point, step)) {
                step++;
            }
            assertThat(step).as("steps " + point).isLessThanOrEqualTo(MOST_STEPS);
            deaths += step - 1;
        }
        assertThat(deaths).isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "BEFORE_NODE_IS_CREATED",
                "AFTER_NODE_IS_CREATED",
                "BEFORE_NODE_IS_SET",
                "AFTER_NODE_IS_SET",
                "AFTER_METADATA_CHANGES"
            })
    void whoeverDiesWhileATableIsTruncatedItIsEmptyThenAndWhatItHeldCanComeBack(CrashPoint point) {
        int step = 1;
        while (step <= MOST_STEPS && diesWhileTruncating(point, step)) {
            step++;
        }
        assertThat(step).isBetween(2, MOST_STEPS);
    }

    /** A request that comes late, or a second time, or from who has looked the table up before. */
    @Test
    void toTruncateATableThatIsDroppedBringsNoneBack() {
        SimCluster cluster = new SimCluster(1, 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client);
                long full = client.table("t").schema().id();
                client.admin().dropTable("t");
                // Again: whoever asked before, his request has not come to the master.
                for (boolean again : new boolean[] {false, true}) {
                    assertThatThrownBy(() -> truncate(cluster, full, again))
                            .hasMessageEndingWith("was dropped: undelete it, or create it anew");
                    assertThat(client.admin().tables()).isEmpty();
                }
                TableSchema back = client.admin().undeleteTable("t");
                assertThat(client.admin().truncateTable("t").id()).isGreaterThan(back.id());
                client.admin().dropTable("t");
                assertThatThrownBy(() -> truncate(cluster, full, true)).hasMessageContaining("was dropped");
                assertThat(client.admin().tables()).isEmpty();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static void truncate(SimCluster cluster, long table, boolean again) throws Exception {
        Address master =
                ProcessFiles.master(cluster.ports().locks().read(Paths.MASTER).orElseThrow());
        Request request = new Request.Control(new TruncateTable("t", table, again));
        Answer unused = cluster.scheduler().await(cluster.ports().network().send(master, request, 30_000), 40_000);
    }

    private static boolean diesWhileTruncating(CrashPoint point, int step) {
        String what = point + " " + step;
        SimCluster cluster = new SimCluster(step, 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        boolean[] died = {false};
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client);
                cluster.startMaster();
                cluster.scheduler().pause(2_000);
                TableSchema full = client.table("t").schema();
                int living = living(cluster);
                cluster.crashAt(point, step);
                TableSchema empty = client.admin().truncateTable("t");
                cluster.forgetSteps();
                died[0] = living(cluster) < living;
                replaceTheDead(cluster);

                assertThat(empty.id()).as(what).isGreaterThan(full.id());
                assertThat(empty.families()).as(what).isEqualTo(full.families());
                assertThat(client.admin().tables()).as(what).containsExactly(empty);
                assertThat(client.table("t").tablets())
                        .as(what)
                        .extracting(tablet -> tablet.range().start())
                        .containsExactly(
                                Bytes.EMPTY,
                                Bytes.utf8("b").successor(),
                                Bytes.utf8("c").successor());
                for (String row : ROWS) {
                    assertThat(client.table("t").read(Bytes.utf8(row))).as(what).isEmpty();
                }
                client.admin().dropTable("t");
                assertThat(client.admin().undeleteTable("t", full.id()).id()).isEqualTo(full.id());
                cluster.scheduler().pause(30_000);
                check(client, what);
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(what, failed);
            }
        });
        return died[0];
    }

    /** Whether anybody came to that step of the work. */
    private static boolean dies(Work work, CrashPoint point, int step) {
        SimCluster cluster = new SimCluster(step, 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        boolean[] died = {false};
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client);
                cluster.startMaster();
                cluster.scheduler().pause(2_000);
                int living = living(cluster);
                cluster.crashAt(point, step);
                ask(work, client.admin(), cluster);
                cluster.forgetSteps();
                died[0] = living(cluster) < living;
                replaceTheDead(cluster);
                cluster.scheduler().pause(30_000);
                check(client, work + " " + point + " " + step);
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(work + " " + point + " " + step, failed);
            }
        });
        return died[0];
    }

    private static int living(SimCluster cluster) {
        return cluster.servers().size() + cluster.masters().size();
    }

    private static void replaceTheDead(SimCluster cluster) {
        while (cluster.servers().size() < 2) {
            String unused = cluster.startServer();
        }
        while (cluster.masters().size() < 2) {
            cluster.startMaster();
        }
    }

    /** The one who asks may be told that nobody knows, or that what he wants has been done. */
    private static void ask(Work work, Admin admin, SimCluster cluster) {
        try {
            work.ask(admin, cluster);
        } catch (BigtableException failed) {
            assertThat(failed.kind()).isIn(BigtableException.Kind.UNAVAILABLE, BigtableException.Kind.REJECTED);
        }
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name)
                .family("f", GcRule.KEEP_ALL)
                .family("g", GcRule.KEEP_ALL)
                .build();
    }

    private static void fill(Bigtable client) throws BigtableException {
        TableSchema unused = client.admin()
                .createTable(draft("t"), Stream.of("b", "c").map(Bytes::utf8).toList());
        Table table = client.table("t");
        for (String row : ROWS) {
            table.apply(RowMutation.of(row).set("f", "q", row).build());
        }
    }

    private static void check(Bigtable client, String what) throws BigtableException {
        if (client.admin().tables().stream().noneMatch(table -> table.name().equals("t"))) {
            TableSchema unused = client.admin().undeleteTable("t");
        }
        Table table = client.table("t");
        for (String row : ROWS) {
            assertThat(table.read(Bytes.utf8(row))).as("%s: row %s", what, row).isPresent();
            table.apply(RowMutation.of(row).set("f", "after", row).build());
        }
        assertThat(client.admin().clusterStatus().problems()).as(what).isEmpty();
    }
}
