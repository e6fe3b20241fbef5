package bt.yarn.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.client.TabletEvent;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.record.MasterFile;
import bt.record.ProcessFile;
import bt.yarn.spec.Application;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.Held;
import bt.yarn.spec.Role;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** One cluster of real processes on a real YARN, from its start to its end: each counts on what those before have left. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Bytes ROW = Bytes.utf8("row");
    private static final long SESSION_MILLIS = 30_000;
    private static final long LEASE_MILLIS = 6_000;

    /**
     * No tablet of a dead server is served elsewhere sooner where nobody proves its death: it was heard a third of its session before
     * at most, and its lease is counted from the end of that.
     */
    private static final Duration UNPROVEN = Duration.ofMillis(SESSION_MILLIS * 2 / 3 + LEASE_MILLIS);

    private static MiniYarn yarn;
    private static String cluster;
    private static CommandLine bt;
    private static LockService locks;
    private static ClusterFiles files;

    /** A running process of the cluster. */
    private record Running(Role role, String container, long pid) {}

    @BeforeAll
    static void startYarn() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "yarn-")
                .toAbsolutePath();
        yarn = new MiniYarn(directory);
        cluster = "zk://" + yarn.quorum() + "/it";
        bt = new CommandLine(
                Home.make(directory.resolve("home")),
                yarn.configuration(),
                directory,
                List.of(
                        "--at",
                        cluster,
                        "-D",
                        "host=127.0.0.1",
                        "-D",
                        "zookeeper.session.millis=" + SESSION_MILLIS,
                        "-D",
                        "lease.millis=" + LEASE_MILLIS,
                        "-D",
                        "yarn.master.mb=256",
                        "-D",
                        "yarn.tabletserver.mb=384"));
        locks = Connect.lockService(cluster);
        files = new ClusterFiles(locks);
    }

    @AfterAll
    static void stopYarn() {
        locks.close();
        yarn.close();
    }

    @Test
    @Order(1)
    void whatCannotRunIsRefusedInOneLine() throws IOException, InterruptedException {
        assertRefused(bt.run("cluster", "start", "--servers", "1000"), "REJECTED: the cluster needs 384768 MB");
        assertRefused(bt.run("cluster", "start", "-D", "yarn.queue=none"), "has no queue none");
    }

    @Test
    @Order(2)
    void startReturnsWhenAMasterAndTwoTabletServersServeAndAnotherMasterStandsBy()
            throws IOException, InterruptedException {
        CommandLine.Result start = bt.run("cluster", "start", "--servers", "2");

        assertThat(start.code()).as(start.err()).isZero();
        assertThat(start.err()).contains("cluster it serves as application_");
        // One of the masters serves: the other may be on its way still.
        await().atMost(PATIENCE).until(() -> running().size() == 4);
        assertThat(running())
                .extracting(Running::role)
                .containsExactlyInAnyOrder(Role.MASTER, Role.MASTER, Role.TABLET_SERVER, Role.TABLET_SERVER);
        assertThat(running()).allMatch(process -> isJava(process.pid()));
    }

    @Test
    @Order(3)
    void statusShowsEveryProcess() throws IOException, InterruptedException {
        CommandLine.Result status = bt.run("cluster", "status", "--json");

        assertThat(status.code()).as(status.err()).isZero();
        List<Running> shown = new ArrayList<>();
        for (String line : status.out().lines().toList()) {
            JsonNode process = new ObjectMapper().readTree(line);
            assertThat(process.get("address").asText()).startsWith("127.0.0.1:");
            assertThat(process.get("host").asText()).isNotEmpty();
            Role role = process.get("role").asText().equals("master") ? Role.MASTER : Role.TABLET_SERVER;
            shown.add(new Running(
                    role, process.get("container").asText(), process.get("pid").asLong()));
        }
        assertThat(shown).containsExactlyInAnyOrderElementsOf(running());
    }

    @Test
    @Order(4)
    void aNameThatIsTakenIsRefused() throws IOException, InterruptedException {
        assertRefused(
                bt.run("cluster", "start", "--servers", "1"), "REJECTED: cluster it runs already, as application_");
    }

    @Test
    @Order(5)
    void killedTabletServersAreReplacedAndTheirRowsStay() throws IOException {
        try (Bigtable bigtable = Connect.to(cluster)) {
            bigtable.admin()
                    .createTable(
                            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build(), List.of());
            Table table = bigtable.table("t");
            table.apply(RowMutation.of("row").set("f", "q", "value").build());
            List<Running> before = running();
            before.stream()
                    .filter(process -> process.role() == Role.TABLET_SERVER)
                    .forEach(ClusterIT::kill);

            await().atMost(PATIENCE).until(() -> isWhole(before, 2));
            assertThat(table.read(ROW)).isPresent();
        }
    }

    @Test
    @Order(6)
    void theExitCodeOfAContainerProvesTheDeathOfItsServer() throws IOException {
        List<Running> before = running();
        try (Bigtable bigtable = Connect.to(cluster)) {
            Table table = bigtable.table("t");
            Running killed = serving(table);
            kill(killed);
            long dead = System.nanoTime();
            await().atMost(PATIENCE).until(() -> !isJava(killed.pid()));

            assertThat(table.read(ROW)).isPresent();
            Duration silent = Duration.ofNanos(System.nanoTime() - dead);
            System.out.printf("a killed server's row was read after %d ms%n", silent.toMillis());
            assertThat(silent).isLessThan(UNPROVEN);
        }
        await().atMost(PATIENCE).until(() -> isWhole(before, 3));
    }

    @Test
    @Order(7)
    void theNextApplicationMasterTakesOverAndReplacesOn() throws IOException {
        List<Running> before = running();
        kill(applicationMaster(application()));

        await().atMost(PATIENCE).until(() -> application().attempt() == 2);
        assertThat(running()).containsExactlyInAnyOrderElementsOf(before);

        kill(before.stream()
                .filter(process -> process.role() == Role.TABLET_SERVER)
                .findFirst()
                .orElseThrow());
        await().atMost(PATIENCE).until(() -> isWhole(before, 3));
    }

    /** Nobody but it need live for that: YARN finds out after ten minutes that a node is lost. */
    @Test
    @Order(8)
    void theMasterThatStandsByRulesWhenTheActiveOneDies() throws IOException {
        List<Running> before = running();
        Running active = activeMaster();
        Running standby = before.stream()
                .filter(process -> process.role() == Role.MASTER && !process.equals(active))
                .findFirst()
                .orElseThrow();
        try (Bigtable bigtable = Connect.to(cluster)) {
            long epoch = bigtable.admin().clusterStatus().masterEpoch();
            kill(active);
            await().atMost(PATIENCE)
                    .until(() -> bigtable.admin().clusterStatus().masterEpoch() > epoch);
        }
        // Or the one that YARN has begun in the dead one's place meanwhile: whichever takes the lock first.
        assertThat(activeMaster()).isNotEqualTo(active);
        assertThat(isJava(standby.pid())).isTrue();
        await().atMost(PATIENCE).until(() -> isWhole(before, 3));
    }

    /** Which is to give it back within seconds, or YARN takes it; so others have its tablets before it goes. */
    @Test
    @Order(9)
    void aServerThatAnotherApplicationHasABetterRightToIsDrainedAndReplaced() throws IOException {
        List<Running> before = running();
        try (Bigtable bigtable = Connect.to(cluster)) {
            Running leaving = serving(bigtable.table("t"));
            long events = holders(bigtable).size();
            yarn.preempt(leaving.container());
            await().atMost(PATIENCE).until(() -> !running().contains(leaving) && isWhole(before, 3));

            assertThat(bigtable.table("t").read(ROW)).isPresent();
            // Of a server that was killed the next event would be that another serves what it had.
            assertThat(holders(bigtable).stream().skip(events).findFirst())
                    .hasValueSatisfying(next -> assertThat(next).startsWith("handed over to "));
        }
    }

    /**
     * YARN waits for what runs there, and would wait for ever. Where both servers are on that node one of them waits half a minute for
     * another that takes its tablets.
     */
    @Test
    @Order(10)
    void aServerOnANodeThatIsDecommissionedIsDrainedAndReplaced() throws IOException {
        List<Running> before = running();
        Running leaving = before.stream()
                .filter(process -> process.role() == Role.TABLET_SERVER)
                .findFirst()
                .orElseThrow();
        yarn.decommission(leaving.container());
        await().atMost(PATIENCE.multipliedBy(2))
                .until(() -> !running().contains(leaving) && running().size() == before.size());
        try (Bigtable bigtable = Connect.to(cluster)) {
            assertThat(bigtable.table("t").read(ROW)).isPresent();
        }
    }

    @Test
    @Order(11)
    void stopEndsEveryProcessAndLeavesTheNameFree() throws IOException, InterruptedException {
        List<Running> before = running();
        String id = application().id();
        CommandLine.Result stop = bt.run("cluster", "stop");

        assertThat(stop.code()).as(stop.err()).isZero();
        // The other masters are given back to YARN, whose nodes end what is in a container a moment after it is gone.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(before).noneMatch(process -> isJava(process.pid())));
        assertThat(yarn.diagnostics(id)).contains("stopped as asked");
        assertThat(files.read()).isEmpty();
        assertThat(bt.run("cluster", "status").code()).isEqualTo(1);
    }

    /** What the history of the row's tablet says of who served it. */
    private static List<String> holders(Bigtable bigtable) throws BigtableException {
        return bigtable.admin().history("t", ROW).stream()
                .map(TabletEvent::what)
                .filter(what -> what.startsWith("serving on ") || what.startsWith("handed over to "))
                .toList();
    }

    private static void assertRefused(CommandLine.Result result, String line) {
        assertThat(result.code()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).contains(line).doesNotContain("\tat ");
    }

    /** Two masters and two tablet servers that said who they are, so many of them the same as before. */
    private static boolean isWhole(List<Running> before, int same) throws BigtableException {
        List<Running> now = running();
        return now.size() == 4 && now.stream().filter(before::contains).count() == same;
    }

    private static Application application() throws BigtableException {
        return files.read().orElseThrow().application();
    }

    private static List<Running> running() throws BigtableException {
        List<Running> running = new ArrayList<>();
        for (Held held : application().containers()) {
            Optional<ProcessFile> process = files.process(held.id());
            process.ifPresent(said -> running.add(new Running(held.role(), held.id(), said.getPid())));
        }
        return running;
    }

    /** As the lock service says. */
    private static Running activeMaster() throws BigtableException {
        return at(AvroBytes.decode(
                        "master", locks.read(Paths.MASTER).orElseThrow().content(), MasterFile.class)
                .getAddress());
    }

    /** As METADATA says, of the table's one tablet, once somebody does. */
    private static Running serving(Table table) throws BigtableException {
        assertThat(table.read(ROW)).isPresent();
        return at(table.tablets().get(0).server().orElseThrow());
    }

    private static Running at(String address) throws BigtableException {
        for (Running process : running()) {
            if (files.process(process.container()).orElseThrow().getAddress().equals(address)) {
                return process;
            }
        }
        throw new AssertionError("no process of the cluster is at " + address);
    }

    /** Its container is the first of its attempt. */
    private static Running applicationMaster(Application application) {
        String container =
                application.id().replace("application_", "container_") + "_0" + application.attempt() + "_000001";
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains("-Dbt.process=" + container))
                .map(process -> new Running(Role.MASTER, container, process.pid()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isJava(long pid) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .flatMap(process -> process.info().command())
                .filter(command -> command.endsWith("java"))
                .isPresent();
    }

    private static void kill(Running process) {
        assertThat(ProcessHandle.of(process.pid()).orElseThrow().destroyForcibly())
                .isTrue();
    }
}
