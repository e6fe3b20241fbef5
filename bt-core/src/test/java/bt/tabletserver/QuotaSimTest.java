package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Quotas;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.record.FamilyBytes;
import bt.record.ServerStatus;
import bt.record.TableShares;
import bt.record.TableUsage;
import bt.record.UserShare;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.assertj.core.api.InstanceOfAssertFactories;

/** Whose bytes they are, over deaths and moves, on one scheduler. Every write is of the user "test". */
class QuotaSimTest {
    private static final TableSchema DRAFT = TableSchema.draft("shared")
            .family("f", GcRule.KEEP_ALL)
            .quotas(Quotas.NONE.eachUser(OptionalLong.of(10_000_000)))
            .build();
    private static final long VALUE_BYTES = 20_000;
    private static final int ROWS = 10;

    @SeededTest(runs = 10)
    void whatAUserHasStaysTheUsersWhenItsServerDiesAndWhenItMoves(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            fill(sim, table, random);
            awaitTold(sim, table);
            sim.crashServerOf(table, "server-3");
            sim.awaitServed();
            // The file is written every five seconds: what stands there by then is what was known in between.
            sim.scheduler.pause(12_000);
            assertThat(ofUser(sim, table)).isBetween(ROWS * VALUE_BYTES * 9 / 10, ROWS * VALUE_BYTES * 11 / 10);
            for (int i = 0; i < 3; i++) {
                String other = sim.isAlive("server-1") ? "server-1" : "server-2";
                sim.move(table, sim.serverOf(table).equals(other) ? "server-3" : other);
                sim.scheduler.pause(7_000);
                assertThat(ofUser(sim, table)).isBetween(ROWS * VALUE_BYTES * 9 / 10, ROWS * VALUE_BYTES * 11 / 10);
            }
        });
    }

    @SeededTest(runs = 5)
    void whatAUserHasStaysTheUsersWhenItsTabletIsSplitAgainAndAgain(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            fill(sim, table, random);
            awaitTold(sim, table);
            for (String row : List.of("b", "z3", "a4")) {
                sim.flush(table);
                sim.split(table, Optional.of(Bytes.utf8(row)));
                sim.awaitServed();
                for (int i = 0; i < 30; i++) {
                    sim.scheduler.pause(500);
                    assertThat(ofUser(sim, table))
                            .as("half a file is half its bytes")
                            .isBetween(ROWS * VALUE_BYTES * 9 / 10, ROWS * VALUE_BYTES * 11 / 10);
                }
            }
        });
    }

    @SeededTest(runs = 10)
    void aServerTellsTheFamiliesOfAllTabletsThatItTellsOf(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "m");
            fill(sim, table, random);
            for (int i = 0; i < 4; i++) {
                String to = sim.serverOf(table).equals("server-1") ? "server-2" : "server-1";
                sim.move(table, to);
                for (String server : List.of("server-1", "server-2")) {
                    ServerStatus status = sim.status(server);
                    long tablets = status.getTablets().stream()
                            .filter(tablet -> tablet.getTableId() == table)
                            .mapToLong(tablet -> tablet.getMemtableBytes() + tablet.getFileBytes())
                            .sum();
                    assertThat(families(status.getShares(), table)).isBetween(tablets * 9 / 10, tablets * 11 / 10);
                }
                sim.scheduler.pause(random.nextInt(1_000));
            }
        });
    }

    /** Nothing of it is there, however large it was: neither its user's quota nor others' may be less for it. */
    @SeededTest(runs = 3)
    void whatIsRefusedForSomethingElseTakesNothingOfAQuota(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        TableSchema draft = TableSchema.draft("shared")
                .family("f", GcRule.KEEP_ALL)
                .quotas(Quotas.NONE.table(OptionalLong.of(100_000)).eachUser(OptionalLong.of(50_000)))
                .build();
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(draft);
            Bytes value = Bytes.wrap(new byte[(int) VALUE_BYTES]);
            for (int i = 0; i < 20; i++) {
                RowMutation elsewhere = RowMutation.of("row")
                        .set(ColumnKey.of("none", "q"), value)
                        .build();
                assertThat(sim.write(table, elsewhere, Optional.empty()).failure())
                        .get()
                        .isInstanceOf(RejectedException.class)
                        .extracting(Throwable::getMessage, InstanceOfAssertFactories.STRING)
                        .doesNotContain("quota");
            }
            sim.put(table, Bytes.utf8("row"), value);
            awaitTold(sim, table, VALUE_BYTES);
        });
    }

    private static void fill(SimServers sim, long table, RandomGenerator random) throws InterruptedException {
        for (int i = 0; i < ROWS; i++) {
            byte[] value = new byte[(int) VALUE_BYTES];
            random.nextBytes(value);
            sim.put(table, Bytes.utf8((i % 2 == 0 ? "a" : "z") + i), Bytes.wrap(value));
        }
    }

    /** Until the master has written whose they are. */
    private static void awaitTold(SimServers sim, long table) throws InterruptedException {
        awaitTold(sim, table, ROWS * VALUE_BYTES);
    }

    private static void awaitTold(SimServers sim, long table, long bytes) throws InterruptedException {
        for (int i = 0; i < 100 && ofUser(sim, table) < bytes * 9 / 10; i++) {
            sim.scheduler.pause(500);
        }
        assertThat(ofUser(sim, table)).isBetween(bytes * 9 / 10, bytes * 11 / 10);
    }

    private static long ofUser(SimServers sim, long table) {
        LockService locks = sim.locks.session("test", 10_000);
        try {
            Optional<SmallFile> file = locks.read(Paths.usage(table));
            if (file.isEmpty()) {
                return 0;
            }
            return AvroBytes.decode("usage", file.get().content(), TableUsage.class).getUsers().stream()
                    .filter(share -> share.getUser().equals("test"))
                    .mapToLong(UserShare::getBytes)
                    .sum();
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        } finally {
            locks.close();
        }
    }

    private static long families(List<TableShares> shares, long table) {
        return shares.stream()
                .filter(share -> share.getTableId() == table)
                .flatMap(share -> share.getFamilies().stream())
                .mapToLong(FamilyBytes::getBytes)
                .sum();
    }
}
