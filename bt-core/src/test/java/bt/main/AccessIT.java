package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.model.Row;
import bt.rpc.RpcNetwork;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rights through the shell and the library, over real connections: of the cluster's owner, of ada, of alice and of bob. */
class AccessIT {
    private static Opened opened = new Opened();
    private static String at = "";
    private static CommandLines owner = new CommandLines("");

    @BeforeAll
    static void start() throws Exception {
        MiniBigtable cluster = MiniBigtable.start();
        opened.add(cluster);
        at = cluster.at();
        owner = new CommandLines(at);
    }

    @AfterAll
    static void stop() {
        opened.close();
    }

    @Test
    void rightsAreGivenTakenShownAndAskedForWithoutARestart() throws Exception {
        try (Bigtable ofAda = as("ada");
                Bigtable ofAlice = as("alice");
                Bigtable ofBob = as("bob")) {
            CommandLines ada = CommandLines.over(ofAda);
            CommandLines alice = CommandLines.over(ofAlice);
            CommandLines bob = CommandLines.over(ofBob);
            done(bob, "create", "web", "contents", "anchor");
            done(bob, "put", "web", "r", "contents:q", "page");
            done(bob, "put", "web", "r", "anchor:q", "link");
            assertThat(owner.run("rights").err()).contains("everybody may do everything");
            refused(bob, "first grant bob the right admin of the cluster", "grant", "alice", "read", "web");

            done(ada, "grant", "ada", "all");
            assertThat(ada.run("rights").out()).isEqualTo("rights\tcluster\tada\tadmin,create\n");
            refused(bob, "the cluster: user bob has not the right create", "create", "more", "f");
            refused(bob, "table web: user bob has not the right admin", "grant", "bob", "all", "web");
            refused(ada, "nobody would be left", "revoke", "ada", "admin");
            assertThat(ada.run("grant", "ada", "reed", "web").err()).contains("\"reed\" is no right");

            done(ada, "grant", "alice", "read,write", "web");
            done(ada, "grant", "*", "read", "web:anchor");
            assertThat(ada.run("describe", "web").out())
                    .contains("rights\ttable\talice\tread,write\n")
                    .contains("rights\tfamily anchor\t*\tread\n");
            assertThat(alice.run("get", "web", "r").out()).contains("anchor:q").contains("contents:q");
            assertThat(bob.run("get", "web", "r").out()).contains("anchor:q").doesNotContain("contents:q");
            refused(
                    bob,
                    "family web:contents: user bob has not the right read: an administrator of the table may grant it",
                    "get",
                    "web",
                    "r",
                    "--filter",
                    "family=contents");
            refused(bob, "user bob has not the right write", "put", "web", "r", "anchor:q", "other");

            done(ada, "revoke", "alice", "write", "web");
            refused(alice, "user alice has not the right write", "put", "web", "r", "anchor:q", "other");
            done(ada, "revoke", "alice", "all", "web");
            done(ada, "revoke", "*", "all", "web:anchor");
            assertThatThrownBy(() -> {
                        Optional<Row> unused = ofAlice.table("web").read(Bytes.utf8("r"));
                    })
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("table web: user alice has not the right read");
            // As whom the servers run has all rights and is in no list.
            assertThat(owner.run("get", "web", "r").out()).contains("page");
            refused(bob, "the cluster: user bob has not the right admin", "traces");
            Awaitility.await().until(() -> ada.run("traces").code() != ExitCode.REJECTED);
        }
    }

    private static void done(CommandLines user, String... words) {
        CommandLines.Result result = user.run(words);
        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.DONE);
    }

    private static void refused(CommandLines user, String fact, String... words) {
        CommandLines.Result result = user.run(words);
        assertThat(result.err()).startsWith("bt: REJECTED: ").contains(fact).hasLineCount(1);
        assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
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
