package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Halt;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.client.Table;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.rpc.RpcNetwork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas of tables and of users, over a master and two tablet servers. */
class QuotaIT {
    private static final Halt NEVER = reason -> {
        throw new AssertionError(reason);
    };
    private static final int VALUE_BYTES = 20_000;
    private static final Random RANDOM = new Random(7);

    @TempDir
    private static Path directory;

    private static Opened opened = new Opened();
    private static String at = "";
    private static ServerSettings settings = settings(Map.of());
    private static CommandLines bt = new CommandLines("");
    private static MasterProcess master;

    @BeforeAll
    static void start() throws Exception {
        EmbeddedZooKeeper zooKeeper = opened.add(EmbeddedZooKeeper.start(directory.resolve("zk"), "127.0.0.1", 0));
        at = "zk://" + zooKeeper.quorum() + "/c";
        settings = settings(Map.of("at", at, "root", directory.resolve("files").toString(), "lease.millis", "1000"));
        bt = new CommandLines(at);
        master = opened.add(MasterProcess.start(settings, NEVER));
        opened.add(TabletServerProcess.start(settings, NEVER));
        opened.add(TabletServerProcess.start(settings, NEVER));
        LockService locks = opened.add(Connect.lockService(at));
        Awaitility.await().until(() -> locks.children(Paths.SERVERS).size() == 2);
    }

    @AfterAll
    static void stop() {
        opened.close();
    }

    private static ServerSettings settings(Map<String, String> configuration) {
        try {
            return ServerSettings.read(configuration);
        } catch (RejectedException wrong) {
            throw new AssertionError(wrong);
        }
    }

    @Test
    void aTableTakesNoMoreThanItsQuotaButDeletionsAndMoreWhenItIsRaised() throws Exception {
        assertThat(bt.run("create", "bounded", "f:versions=1", "--split", "m", "--quota", "400k")
                        .code())
                .isEqualTo(ExitCode.DONE);
        try (Bigtable bigtable = as("somebody")) {
            Table table = bigtable.table("bounded");
            int written = fill(table, "f");
            // Each of two servers alone would take a quota's worth; a slow machine may bring us near that.
            assertThat(written * VALUE_BYTES).isBetween(300_000, 860_000);
            Awaitility.await().until(() -> !takes(table, "f"));
            assertThatThrownBy(() -> put(table, "a-one-more", "f"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("table bounded: the quota of 409600 bytes is used up")
                    .hasMessageContaining("have an administrator of the table raise it")
                    .satisfies(refused ->
                            assertThat(((BigtableException) refused).outcome()).isEqualTo(Outcome.NOT_APPLIED));
            // The other server hears of it from the master.
            CommandLines.Result refused = Awaitility.await()
                    .until(
                            () -> bt.run("put", "bounded", "z-one-more", "f:q", "v"),
                            result -> result.code() == ExitCode.REJECTED);
            assertThat(refused.err()).startsWith("bt: REJECTED: table bounded").hasLineCount(1);
            Awaitility.await().until(() -> bt.run("describe", "bounded").out().contains("used="));
            assertThat(bt.run("describe", "bounded").out()).contains("quota\ttable\t409600 bytes\tused=");

            table.apply(RowMutation.of(row(0)).deleteRow().build());
            assertThat(table.read(Bytes.utf8(row(0)))).isEmpty();

            assertThat(bt.run("alter", "bounded", "--quota", "10m").code()).isEqualTo(ExitCode.DONE);
            put(table, "a-one-more", "f");
            assertThat(bt.run("alter", "bounded", "--quota", "100k").code()).isEqualTo(ExitCode.DONE);
            Awaitility.await().until(() -> !takes(table, "f"));
        }
    }

    @Test
    void aUserOfASharedTableIsBoundedAndTheOthersAreNotAlsoUnderAnotherMaster() throws Exception {
        assertThat(bt.run(
                                "create",
                                "shared",
                                "maps",
                                "search",
                                "--split",
                                "m",
                                "--user-quota",
                                "alice=300k",
                                "--user-quota",
                                "*=5m")
                        .code())
                .isEqualTo(ExitCode.DONE);
        try (Bigtable ofAlice = as("alice");
                Bigtable ofBob = as("bob")) {
            Table alice = ofAlice.table("shared");
            Table bob = ofBob.table("shared");
            put(bob, "bob", "search");
            int written = fill(alice, "maps");
            assertThat(written * VALUE_BYTES).isBetween(200_000, 660_000);
            Awaitility.await().until(() -> !takes(alice, "maps"));
            assertThatThrownBy(() -> put(alice, "a-one-more", "maps"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("table shared, user alice: the quota of 307200 bytes is used up")
                    .hasMessageContaining("have an administrator of the table raise it");
            for (int i = 0; i < 20; i++) {
                put(bob, row(i), "search");
            }
            Awaitility.await()
                    .until(() -> bt.run("describe", "shared").out().contains("user bob\t5242880 bytes\tused=4"));
            System.out.print(bt.run("describe", "shared").out());

            // Flushed, it is what lies on disk; and whoever is elected next knows whose it is.
            ofAlice.admin().flush("shared");
            master.close();
            opened.add(MasterProcess.start(settings, NEVER));
            Awaitility.await().until(() -> bt.run("servers").code() == ExitCode.DONE);
            for (int i = 0; i < 20; i++) {
                put(bob, row(i), "search");
                assertThat(takes(alice, "maps")).isFalse();
            }
            alice.apply(RowMutation.of(row(0)).deleteFamily("maps").build());
            assertThat(bt.run("alter", "shared", "--user-quota", "alice=none").code())
                    .isEqualTo(ExitCode.DONE);
            assertThat(takes(alice, "maps")).isTrue();
            assertThat(bt.run("alter", "shared", "--user-quota", "*=100").code())
                    .isEqualTo(ExitCode.DONE);
            assertThat(takes(alice, "maps")).isFalse();
            assertThat(takes(bob, "search")).isFalse();
            assertThat(bt.run("alter", "shared", "--user-quota", "*=none").code())
                    .isEqualTo(ExitCode.DONE);
            assertThat(takes(bob, "search")).isTrue();
        }
    }

    /** Writes rows of both tablets, one after the other and slowly, until it is refused; how many were taken. */
    private static int fill(Table table, String family) throws Exception {
        for (int i = 0; i < 1_000; i++) {
            try {
                put(table, row(i), family);
                Awaitility.await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            } catch (RejectedException full) {
                return i;
            }
        }
        throw new AssertionError("1000 rows were taken");
    }

    private static boolean takes(Table table, String family) throws BigtableException {
        try {
            put(table, "a-one-more", family);
            put(table, "z-one-more", family);
            return true;
        } catch (RejectedException full) {
            return false;
        }
    }

    private static String row(int number) {
        return (number % 2 == 0 ? "a" : "z") + number;
    }

    private static void put(Table table, String row, String family) throws BigtableException {
        byte[] value = new byte[VALUE_BYTES];
        RANDOM.nextBytes(value);
        table.apply(RowMutation.of(row)
                .set(ColumnKey.of(family, "q"), Bytes.wrap(value))
                .build());
    }

    private static Bigtable as(String user) throws BigtableException {
        ThreadScheduler scheduler = new ThreadScheduler();
        LockService locks = Connect.lockService(at);
        RpcNetwork network = RpcNetwork.open(user, Clock.system(), 1);
        return Bigtable.over(network, locks, scheduler).onClose(() -> {
            network.close();
            locks.close();
            scheduler.close();
        });
    }
}
