package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.Doctor;
import bt.doctor.DoctorConfig;
import bt.doctor.Rule;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TableFile;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TableRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** All servers have hardly memory for one more tablet: nothing takes away what is served, nor makes more, until there is room. */
class FullServersSimTest {
    /** For some fifteen empty tablets at each of two servers. */
    private static final long TABLET_BYTES = 68_000;

    private static final long MOST_TABLETS = 19;

    private static final long SPLIT_BYTES = 100_000;
    private static final long FIRST = 1;
    private static final List<Bytes> ROWS =
            IntStream.range(0, 5).mapToObj(i -> Bytes.utf8("row" + i)).toList();
    private static final String FULL = "no server has memory for more tablets";

    private final SimCluster cluster = new SimCluster(
            8, SimSizes.flushing(1 << 20).withTabletBytes(TABLET_BYTES).withSplitBytes(SPLIT_BYTES));
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void noTableIsCreatedAndTablesAreDropped() {
        tell(client -> {
            client.admin().createTable(draft("back"), List.of());
            client.admin().dropTable("back");
            int tables = fill(client);
            for (ThrowingCallable change :
                    List.<ThrowingCallable>of(() -> client.admin().undeleteTable("back"), () -> client.admin()
                            .truncateTable("first"))) {
                assertThatThrownBy(change).isInstanceOf(RejectedException.class).hasMessageContaining(FULL);
            }
            assertThatThrownBy(() -> client.admin().createTable(draft("more"), ROWS))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageStartingWith("table more: " + FULL + ": start another server, drop tables, or give");
            assertThat(client.admin().tables()).as("with the first").hasSize(tables + 1);
            assertThat(client.admin().clusterStatus().problems()).anySatisfy(problem -> assertThat(problem)
                    .contains("it loads no new tablets: ")
                    .contains(" of " + TABLET_BYTES + " bytes: start another server"));
            makeRoom(client);
            client.admin().createTable(draft("more"), List.of());
        });
    }

    /** Neither by who waits for it, nor by who does not; each is told what it waits for. */
    @Test
    void noTabletIsTakenAwayForAMergeUntilThereIsRoom() {
        tell(client -> {
            fill(client);
            Map<TabletId, Long> before = generations();
            assertThatThrownBy(() -> client.admin().mergeTablets("first", ROWS.get(0), ROWS.get(4)))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("merge/first is not done after ")
                    .hasMessageContaining(FULL);
            assertThat(generations()).as("no row was changed").isEqualTo(before);
            assertThat(client.admin().operation("merge/first").hindrance()).hasValue(FULL);
            makeRoom(client);
            client.admin().awaitOperation("merge/first", 120_000, progress -> {});
            assertThat(metadata.scan(FIRST, FIRST)).hasSize(2);
        });
    }

    @Test
    void noTabletIsSplitBecauseSomebodyAsks() {
        tell(client -> {
            fill(client);
            Bytes row = Bytes.utf8("row2m");
            assertThatThrownBy(() -> client.admin().splitTablet("first", row))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("the tablet that ends with row row3 is not split: its new half takes ")
                    .hasMessageEndingWith("have it split when there is room");
            Operation begun = client.admin().startSplit("first", row);
            client.admin().awaitOperation(begun.id(), 60_000, progress -> {});
            assertThat(client.admin().operation(begun.id()).refusals())
                    .singleElement()
                    .satisfies(refusal -> assertThat(refusal.why()).contains("is not split: its new half takes "));
            assertThat(metadata.scan(FIRST, FIRST)).hasSize(ROWS.size() + 1);
            makeRoom(client);
            client.admin().splitTablet("first", row);
            assertThat(metadata.scan(FIRST, FIRST)).hasSize(ROWS.size() + 2);
        });
    }

    /** Its server has room again when tables are dropped, or others can have it. */
    @Test
    void noTabletIsSplitForItsSizeUntilThereIsRoom() {
        tell(client -> {
            // A full server takes no writes that give a tablet its first file.
            putLarge(client, 10);
            fill(client);
            for (int i = 11; i < 90; i++) {
                putLarge(client, i);
            }
            client.admin().flush("first");
            pause(Duration.ofMinutes(2));
            assertThat(metadata.scan(FIRST, FIRST)).hasSize(ROWS.size() + 1);
            makeRoom(client);
            pause(Duration.ofMinutes(2));
            assertThat(metadata.scan(FIRST, FIRST)).hasSizeGreaterThan(ROWS.size() + 1);
        });
    }

    /** As many as there is no room for at last: nobody knows that when they begin. */
    @Test
    void tabletsOfATableThatIsBeingCreatedWaitAndAreToldOf() {
        tell(client -> {
            Operation begun = client.admin().startCreation(draft("large"), rows(79));
            pause(Duration.ofMinutes(15));
            assertThat(client.admin().operation(begun.id()).hindrance())
                    .get()
                    .asString()
                    .contains(" is not served: it takes ")
                    .contains(" bytes of the server's memory");
            assertThat(client.admin().clusterStatus().problems())
                    .anyMatch(problem -> problem.contains(" is offline: it takes "));
            // Passes come to an end all the same, with which others' work goes on.
            Operation flush = client.admin().startFlush("first");
            client.admin().awaitOperation(flush.id(), 10_000, progress -> {});
            assertThat(new Doctor(DoctorConfig.DEFAULT, ports).examine().findings())
                    .isNotEmpty()
                    .allSatisfy(finding -> {
                        assertThat(finding.rule()).isEqualTo(Rule.PROGRESS);
                        assertThat(finding.fact()).contains(" bytes of the server's memory");
                    });
            for (int i = 0; i < 5; i++) {
                cluster.startServer();
            }
            client.admin().awaitOperation(begun.id(), 300_000, progress -> {});
        });
    }

    /** Whoever has filled them with tablets of his own. */
    @Test
    void whatADeadServerHadIsServedByOthersThoughTheyAreFull() {
        cluster.startServer();
        tell(client -> {
            put(client);
            fill(client);
            cluster.kill(holder());
            long killed = cluster.scheduler().clock().nanos();
            assertThat(client.table("first").read(ROWS.get(0))).isPresent();
            assertThat(since(killed)).isLessThan(Duration.ofSeconds(30));
            while (client.admin().clusterStatus().unassigned() > 0) {
                assertThat(since(killed)).isLessThan(Duration.ofMinutes(2));
                pause(Duration.ofSeconds(1));
            }
        });
    }

    @Test
    void whatAStoppingServerHadMovesToOthersThoughTheyAreFull() {
        cluster.startServer();
        tell(client -> {
            put(client);
            fill(client);
            String stopped = holder();
            cluster.stop(stopped);
            long longest = 0;
            while (cluster.servers().contains(stopped)) {
                long asked = cluster.scheduler().clock().nanos();
                assertThat(client.table("first").read(ROWS.get(0))).isPresent();
                longest = Math.max(longest, cluster.scheduler().clock().nanos() - asked);
                pause(Duration.ofMillis(50));
            }
            assertThat(Duration.ofNanos(longest)).isLessThan(Duration.ofSeconds(2));
            assertThat(client.admin().clusterStatus().unassigned()).isZero();
        });
    }

    /** Each is brought back before the master has seen what became of the one before. */
    @Test
    void tablesThatComeBackTogetherKeepNobodysTabletsFromBeingServed() {
        cluster.startServer();
        tell(client -> {
            put(client);
            List<String> names = List.of("a", "b");
            for (String name : names) {
                client.admin().createTable(draft(name), rows(36));
                client.admin().awaitOperation("creation/" + name, 60_000, progress -> {});
                client.admin().dropTable(name);
                pause(Duration.ofSeconds(15));
            }
            List<Scheduler.Worker> workers = names.stream()
                    .map(name -> ports.scheduler().start("undeletes " + name, () -> undelete(client, name)))
                    .toList();
            for (Scheduler.Worker worker : workers) {
                assertThat(worker.join(10_000)).isTrue();
            }
            pause(Duration.ofMinutes(3));
            assertThat(servedByServer().values()).hasSize(3).allSatisfy(tablets -> assertThat(tablets)
                    .isBetween(12L, MOST_TABLETS));
            assertThat(names).anySatisfy(name -> assertThat(
                            client.admin().operation("creation/" + name).hindrance())
                    .get()
                    .asString()
                    .contains(" is not served: it takes ")
                    .contains(" bytes of the server's memory"));
            cluster.kill(holder());
            awaitFirstIsServed();
            for (int i = 0; i < 3; i++) {
                cluster.startServer();
            }
            for (String name : names) {
                client.admin().awaitOperation("creation/" + name, 900_000, progress -> {});
            }
        });
    }

    /** Nobody has been given its room. */
    @Test
    void aTableThatComesBackBeforeItsTabletsHaveLeftCountsAsServedWhenItsServerDies() {
        tellOfOneThatComesBackAtOnce(cluster::kill);
    }

    @Test
    void aTableThatComesBackBeforeItsTabletsHaveLeftCountsAsServedWhenItsServerStops() {
        tellOfOneThatComesBackAtOnce(cluster::stop);
    }

    /** So it counts as served where its table has come back meanwhile, however its description has changed since. */
    @Test
    void aTabletThatIsGivenUpSaysWithWhichVersionOfItsTableItWasServed() {
        tell(client -> {
            TableRecord back = dropAndBringBackFirst();
            TableSchema altered = client.admin().alterTable("first", schema -> schema.change()
                    .addFamily("g", GcRule.KEEP_ALL)
                    .build());
            assertThat(altered.version()).isEqualTo(back.getVersion() + 1);
            client.admin().dropTable("first");
            pause(Duration.ofSeconds(15));
            assertThat(metadata.scan(FIRST, FIRST)).hasSize(ROWS.size() + 1).allSatisfy(row -> {
                assertThat(row.location().getPhase()).isEqualTo(Phase.UNASSIGNED);
                assertThat(row.state().getSchemaVersion()).isEqualTo(altered.version());
            });
            SmallFile file = ports.locks().read(Paths.table(FIRST)).orElseThrow();
            assertThat(TableFile.decode("first", file.content()).getReturnedVersion())
                    .isEqualTo(back.getVersion());
        });
    }

    private void tellOfOneThatComesBackAtOnce(Consumer<String> end) {
        cluster.startServer();
        tell(client -> {
            Map<TabletId, Long> before = generations();
            dropAndBringBackFirst();
            pause(Duration.ofSeconds(15));
            assertThat(generations()).as("none has left its server").isEqualTo(before);
            Operation large = client.admin().startCreation(draft("large"), rows(79));
            pause(Duration.ofMinutes(3));
            assertThat(client.admin().operation(large.id()).hindrance()).isPresent();
            end.accept(holder());
            awaitFirstIsServed();
            for (int i = 0; i < 4; i++) {
                cluster.startServer();
            }
            client.admin().awaitOperation(large.id(), 900_000, progress -> {});
        });
    }

    /** How many tablets of users. */
    private Map<String, Long> servedByServer() throws BigtableException, InterruptedException {
        return metadata.scan(FIRST, Long.MAX_VALUE).stream()
                .filter(row -> !row.gone() && row.location().getPhase() == Phase.SERVING)
                .collect(Collectors.groupingBy(row -> row.location().getServer(), Collectors.counting()));
    }

    private static void undelete(Bigtable client, String name) throws InterruptedException {
        try {
            Operation unused = client.admin().startUndeletion(name);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** What the table's file says when a master has done both before it looks at its tablets. */
    private TableRecord dropAndBringBackFirst() throws BigtableException {
        String path = Paths.table(FIRST);
        SmallFile file = ports.locks().read(path).orElseThrow();
        TableRecord before = TableFile.decode(path, file.content());
        long version = before.getVersion() + 2;
        TableRecord back = TableRecord.newBuilder(before)
                .setVersion(version)
                .setReturnedVersion(version)
                .build();
        ports.locks().write(path, TableFile.encode(back), file.version());
        return back;
    }

    private void awaitFirstIsServed() throws BigtableException, InterruptedException {
        long began = cluster.scheduler().clock().nanos();
        Set<String> living = Set.copyOf(cluster.servers());
        while (!metadata.scan(FIRST, FIRST).stream().allMatch(row -> isServedBy(living, row))) {
            assertThat(since(began)).isLessThan(Duration.ofMinutes(2));
            pause(Duration.ofSeconds(1));
        }
    }

    private static boolean isServedBy(Set<String> servers, MetadataRow row) {
        return row.location().getPhase() == Phase.SERVING
                && servers.contains(Address.parse(row.location().getAddress()).host());
    }

    private static List<Bytes> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Bytes.utf8("row%02d".formatted(i)))
                .toList();
    }

    /** Of two the other has no room for all, not even for half as much again. */
    @Test
    void aDrainForWhichThereIsNoRoomSaysSoAndGoesOnWhenThereIs() {
        tell(client -> {
            fill(client);
            Operation drain = client.admin().startDrain(cluster.servers().get(0) + ":1");
            pause(Duration.ofMinutes(2));
            assertThat(client.admin().operation(drain.id()).hindrance())
                    .hasValue("no other server has memory for more tablets");
            assertThat(client.admin().clusterStatus().problems())
                    .anyMatch(
                            problem -> problem.contains(
                                    " drains, and its tablets stay: no other server has memory for more tablets: start another"));
            cluster.startServer();
            client.admin().awaitOperation(drain.id(), 300_000, progress -> {});
        });
    }

    private static void put(Bigtable client) throws BigtableException {
        client.table("first")
                .apply(RowMutation.of(ROWS.get(0))
                        .set(ColumnKey.of("f", "q"), Bytes.utf8("v"))
                        .build());
    }

    private void putLarge(Bigtable client, int number) throws BigtableException {
        byte[] value = new byte[(int) SPLIT_BYTES / 10];
        cluster.random().nextBytes(value);
        client.table("first")
                .apply(RowMutation.of("row2" + number)
                        .set(ColumnKey.of("f", "q"), Bytes.wrap(value))
                        .build());
    }

    /** Of the first tablet. */
    private String holder() throws BigtableException, InterruptedException {
        return Address.parse(metadata.scan(FIRST, FIRST).get(0).location().getAddress())
                .host();
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(cluster.scheduler().clock().nanos() - nanos);
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    /** There is a table with rows to split at, and room for more. */
    private void tell(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofHours(2), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(draft("first"), ROWS);
                story.tell(client);
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** With tables of one tablet, until no more are taken; how many there are. */
    private int fill(Bigtable client) throws BigtableException, InterruptedException {
        for (int tables = 0; true; tables++) {
            assertThat(tables).isLessThan(60);
            try {
                client.admin().createTable(draft("t" + tables), List.of());
            } catch (RejectedException full) {
                assertThat(full).hasMessageContaining(FULL);
                return tables;
            }
            // Until the master hears of it.
            pause(Duration.ofSeconds(3));
        }
    }

    private void makeRoom(Bigtable client) throws BigtableException, InterruptedException {
        for (int i = 0; i < 16; i++) {
            client.admin().dropTable("t" + i);
        }
        pause(Duration.ofSeconds(15));
    }

    /** Of the tablets of the first table, all of which are served. */
    private Map<TabletId, Long> generations() throws BigtableException, InterruptedException {
        Map<TabletId, Long> generations = new TreeMap<>();
        for (MetadataRow row : metadata.scan(FIRST, FIRST)) {
            assertThat(row.location().getPhase()).isEqualTo(Phase.SERVING);
            generations.put(row.id(), row.generation());
        }
        return generations;
    }

    private void pause(Duration time) throws InterruptedException {
        cluster.scheduler().pause(time.toMillis());
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }
}
