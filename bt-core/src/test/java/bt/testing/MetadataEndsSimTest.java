package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.metadata.Locator;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.TabletPlace;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Calls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tablets are merged that different tablets of METADATA tell of: a row is found with three round trips by who knows nothing, and with six
 * by who knows nothing but what is over.
 */
class MetadataEndsSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final long TABLE = 1;
    private static final List<Bytes> SPLITS =
            IntStream.range(1, 40).mapToObj(i -> row(i * 10)).toList();

    /** METADATA's tablets are two merged into one with three of them, and so are those of the table; each is assigned. */
    private static final int CHANGES = 9;

    @Test
    void aMergeAcrossAnEndOfMetadatasTabletsCostsNobodyARoundTripAtAnyTime() {
        Run run = new Run(11);
        run.inParts(List.of(200), client -> {
            run.whileLookedUp(195, () -> client.admin().mergeTablets("t", row(195), row(205)));
            run.expectThreeRoundTrips();
            assertThat(run.parts()).as("METADATA's tablets").hasSize(1);
        });
    }

    @Test
    void whoKnowsOnlyWhatIsOverNeedsSix() {
        Run run = new Run(12);
        run.inParts(List.of(200), client -> {
            List<Stale> all = new ArrayList<>();
            for (int row : List.of(5, 195, 205, 395)) {
                all.add(run.stale(row));
            }
            client.admin().mergeTablets("t", row(195), row(205));
            run.moveAll(client, List.of(row(5), row(195), row(395)));
            for (Stale stale : all) {
                long before = stale.locator.roundTrips();
                stale.locator.forget(stale.place);
                TabletPlace now = run.locate(stale.locator, stale.row);
                assertThat(now.address()).isNotEqualTo(stale.place.address());
                assertThat(1 + stale.locator.roundTrips() - before)
                        .as("round trips to row %d, with the refusal of its tablet", stale.row)
                        .isEqualTo(6);
            }
        });
    }

    /** METADATA's are not merged for each of them: others look up rows there. */
    @Test
    void ofMergesOneBehindTheOtherNoneIsSlowForLong() {
        Run run = new Run(13);
        run.inParts(List.of(100, 200, 300), client -> {
            client.admin().mergeTablets("t", row(95), row(105));
            client.admin().mergeTablets("t", row(195), row(205));
            client.admin().mergeTablets("t", row(295), row(305));
            assertThat(run.parts()).as("METADATA's tablets").hasSize(3);
            run.pause(40);
            run.expectThreeRoundTrips();
            assertThat(run.parts()).as("METADATA's tablets").hasSize(1);
        });
    }

    @Test
    void whatEndsWithTheRowOfATabletThatThereIsStays() {
        Run run = new Run(14);
        run.inParts(List.of(200), client -> {
            client.admin().mergeTablets("t", row(185), row(195));
            client.admin().mergeTablets("t", row(205), row(395));
            run.pause(60);
            run.expectThreeRoundTrips();
            assertThat(run.parts()).as("METADATA's tablets").hasSize(2);
        });
    }

    @SeededTest(runs = 4)
    void aMasterThatDiesInTheMiddleIsFollowedByOneThatGoesOn(RandomGenerator random) {
        Run run = new Run(random.nextLong());
        run.inParts(List.of(200), client -> {
            String master = run.cluster.masters().get(0);
            run.cluster.beforeChange(master, 1 + random.nextInt(CHANGES), () -> {
                run.cluster.startMaster();
                run.cluster.kill(master);
            });
            client.admin().mergeTablets("t", row(195), row(205));
            run.cluster.forgetSteps();
            run.pause(30);
            run.expectThreeRoundTrips();
        });
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private interface Work {
        void run() throws BigtableException, InterruptedException;
    }

    /** Who has found a row before all that he knows is over. */
    private record Stale(int row, Locator locator, TabletPlace place) {}

    private static final class Run {
        private final SimCluster cluster;
        private final Doctor.Ports ports;
        private final MetadataTable metadata;

        private Run(long seed) {
            cluster = new SimCluster(seed, 1 << 20);
            ports = cluster.ports();
            metadata = new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
        }

        /** METADATA's tablets end with the rows of the tablets that end with these. */
        private void inParts(List<Integer> ends, Story story) {
            cluster.startMaster();
            cluster.startServer();
            cluster.startServer();
            cluster.run(Duration.ofMinutes(60), () -> {
                try (Bigtable client = cluster.client()) {
                    assertThat(client.admin().createTable(DRAFT, SPLITS).id()).isEqualTo(TABLE);
                    for (int i = 5; i < 400; i += 10) {
                        client.table("t")
                                .apply(RowMutation.of(row(i))
                                        .set("f", "q", "value")
                                        .build());
                    }
                    for (int end : ends) {
                        client.admin()
                                .splitTablet("METADATA", MetadataKeys.of(new TabletId(TABLE, Optional.of(row(end)))));
                    }
                    expectThreeRoundTrips();
                    story.tell(client);
                    for (int i = 5; i < 400; i += 10) {
                        assertThat(client.table("t").read(row(i)))
                                .as("row %d", i)
                                .isPresent();
                    }
                    Checkup.of(ports);
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
            });
        }

        /** Each time by somebody who knows nothing. */
        private void expectThreeRoundTrips() throws BigtableException, InterruptedException {
            for (int i = 5; i < 400; i += 10) {
                Locator fresh = locator();
                TabletPlace unused = locate(fresh, i);
                assertThat(fresh.roundTrips()).as("round trips to row %d", i).isEqualTo(3);
            }
        }

        private void whileLookedUp(int row, Work work) throws BigtableException, InterruptedException {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            CompletableFuture<Integer> looks = new CompletableFuture<>();
            cluster.scheduler().start("looker", () -> look(row, ended, looks));
            work.run();
            pause(5);
            ended.complete(null);
            assertThat(cluster.scheduler().await(looks, 60_000)).isGreaterThan(100);
        }

        /** A tablet that is away now is looked for again. */
        private void look(int row, CompletableFuture<Void> ended, CompletableFuture<Integer> looks)
                throws InterruptedException {
            int found = 0;
            while (!ended.isDone()) {
                Locator fresh = locator();
                try {
                    TabletPlace unused = locate(fresh, row);
                    found++;
                } catch (UnavailableException away) {
                    cluster.scheduler().pause(5);
                } catch (BigtableException failed) {
                    looks.completeExceptionally(failed);
                    return;
                }
                if (fresh.roundTrips() > 3) {
                    looks.completeExceptionally(new AssertionError(fresh.roundTrips() + " round trips"));
                    return;
                }
                cluster.scheduler().pause(10);
            }
            looks.complete(found);
        }

        private Locator locator() {
            return new Locator(new Calls(ports.network(), ports.scheduler(), 5_000), ports.locks());
        }

        private TabletPlace locate(Locator locator, int row) throws BigtableException, InterruptedException {
            return locator.locate(
                    TABLE, row(row), Deadline.after(ports.scheduler().clock(), 10_000));
        }

        private Stale stale(int row) throws BigtableException, InterruptedException {
            Locator locator = locator();
            return new Stale(row, locator, locate(locator, row));
        }

        /** METADATA's tablets, and those of the table that have these rows: to a server that had none of anything. */
        private void moveAll(Bigtable client, List<Bytes> rows) throws BigtableException, InterruptedException {
            String target = cluster.startServer() + ":1";
            pause(3);
            client.admin().moveTablet("METADATA", Bytes.EMPTY, target);
            for (MetadataRow part : parts()) {
                client.admin().moveTablet("METADATA", part.range().start(), target);
            }
            for (Bytes row : rows) {
                client.admin().moveTablet("t", row, target);
            }
        }

        /** METADATA's tablets below the root tablet. */
        private List<MetadataRow> parts() throws BigtableException, InterruptedException {
            return metadata.scan(0, 0).stream()
                    .filter(row -> !row.id().equals(MetadataSchema.ROOT))
                    .toList();
        }

        private void pause(long seconds) throws InterruptedException {
            cluster.scheduler().pause(seconds * 1_000);
        }
    }

    private static Bytes row(int number) {
        return Bytes.utf8(String.format("%03d", number));
    }
}
