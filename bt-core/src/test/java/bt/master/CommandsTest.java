package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import bt.master.Commands.Command;
import bt.protocol.Caller;
import bt.record.ClusterStatusRequest;
import bt.record.DrainServer;
import bt.record.DropTable;
import bt.record.ProcessExited;
import bt.record.RecoveryRequest;
import bt.record.StopProcess;
import bt.record.SweepRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandsTest {
    private static final int HALF = Commands.BOUND / 2;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Commands commands = new Commands(scheduler, "owner");

    @AfterEach
    void close() {
        scheduler.close();
    }

    private boolean offer(String user, String host, SpecificRecord message) {
        return commands.offer(command(user, host, message, 3_600_000_000_000L));
    }

    private Command command(String user, String host, SpecificRecord message, long nanos) {
        Caller caller = new Caller(user, host + ":40000", scheduler.clock().nanos() + nanos);
        return new Command(caller, message, new CompletableFuture<>());
    }

    private List<String> takeOrders() {
        List<String> hosts = new ArrayList<>();
        for (Optional<Command> next = commands.order(); next.isPresent(); next = commands.order()) {
            hosts.add(next.get().caller().host());
        }
        return hosts;
    }

    /** Everybody may ask, whatever rights he has, and ask again as soon as he is told. */
    @Test
    void whoAsksAThousandTimesLeavesRoomForQuestionsAndOrdersOfOthers() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(offer("mallory", "m", new RecoveryRequest())).isEqualTo(i < HALF);
        }
        assertThat(offer("ada", "m", new DropTable("t", 1L))).isTrue();
        assertThat(offer("ada", "a", new DropTable("t", 1L))).isTrue();
        assertThat(offer("ada", "a", new ClusterStatusRequest())).isTrue();
        assertThat(offer("ada", "a", new SweepRequest(false, false))).isTrue();
        assertThat(commands.questions()).hasSize(HALF + 2);
        assertThat(takeOrders()).containsExactlyInAnyOrder("m", "a");
    }

    @Test
    void whoWantsAThousandThingsDoneLeavesRoomForOthersAndComesInTurn() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(offer("mallory", "m", new DropTable("t", 1L))).isEqualTo(i < HALF);
        }
        assertThat(offer("ada", "a", new DropTable("t", 1L))).isTrue();
        assertThat(takeOrders()).hasSize(HALF + 1).startsWith("m", "a", "m");
    }

    /** Of all hosts together no more are taken of others than there is room for. */
    @Test
    void theOwnersOrdersFindRoomWhateverOthersWant() {
        for (int host = 0; host < 20; host++) {
            for (int i = 0; i < Commands.BOUND; i++) {
                boolean unused = offer("ada", "a" + host, new DropTable("t", 1L));
            }
        }
        assertThat(offer("ada", "another", new DropTable("t", 1L))).isFalse();
        assertThat(commands.size()).isEqualTo(Commands.BOUND);
        for (SpecificRecord order : List.of(
                new ProcessExited("p"),
                new DrainServer("s", false),
                new DropTable("t", 1L),
                new SweepRequest(true, false))) {
            assertThat(offer("owner", "o", order))
                    .as(order.getSchema().getName())
                    .isTrue();
        }
        assertThat(takeOrders()).hasSize(Commands.BOUND + 4).startsWith("o", "a0", "o", "a1", "o", "a2", "o");
    }

    @Test
    void theOwnersHostsComeInTurnToo() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(offer("owner", "job", new DropTable("t", 1L))).isEqualTo(i < HALF);
        }
        assertThat(offer("owner", "yarn", new ProcessExited("p"))).isTrue();
        assertThat(takeOrders()).hasSize(HALF + 1).startsWith("job", "yarn");
    }

    @Test
    void whatADrainAsksAgainAndAgainHasNoPassRun() {
        offer("owner", "o", new ProcessExited("p"));
        offer("owner", "o", new DrainServer("s", false));
        assertThat(commands.order().map(Command::isQuestion)).contains(false);
        assertThat(commands.order().map(Command::isQuestion)).contains(true);
    }

    @Test
    void aStopComesAlone() {
        offer("owner", "o", new DropTable("t", 1L));
        offer("owner", "o", new StopProcess());
        offer("owner", "o", new DropTable("u", 2L));
        assertThat(commands.stop()).isEmpty();
        assertThat(takeOrders()).hasSize(1);
        assertThat(commands.stop()).isPresent();
        assertThat(commands.stop()).isEmpty();
        assertThat(takeOrders()).hasSize(1);
    }

    @Test
    void aStopThatIsRefusedIsPassedOver() {
        offer("mallory", "m", new StopProcess());
        offer("mallory", "m", new StopProcess());
        offer("mallory", "m", new DropTable("t", 1L));
        assertThat(commands.order()).isEmpty();
        assertThat(commands.stop(stop -> false)).isEmpty();
        assertThat(commands.stop(stop -> true)).isPresent();
        assertThat(commands.stop()).isPresent();
        assertThat(commands.stop(order -> true)).isEmpty();
        assertThat(takeOrders()).containsExactly("m");
    }

    @Test
    void whatNobodyWaitsForAnyMoreTakesUpNoTurn() {
        Command late = command("ada", "a", new DropTable("late", 1L), -1);
        assertThat(commands.offer(late)).isTrue();
        offer("ada", "a", new DropTable("t", 1L));
        offer("bob", "b", new DropTable("t", 1L));
        assertThat(takeOrders()).containsExactly("a", "b");
        assertThat(late.answer()).isCompletedExceptionally();
        assertThat(commands.size()).isZero();
    }

    @Test
    void allThatWaitAreDrained() {
        offer("owner", "o", new StopProcess());
        offer("ada", "a", new DropTable("t", 1L));
        offer("ada", "a", new ClusterStatusRequest());
        assertThat(takeOrders()).isEmpty();
        assertThat(commands.drain()).hasSize(3);
        assertThat(commands.drain()).isEmpty();
        assertThat(commands.size()).isZero();
    }

    /** Not by the time, which is more than a test may take. */
    @Test
    void theMasterIsWokenByWhoAsksAndByWhatHasCome() throws Exception {
        scheduler.start("asks", () -> offer("ada", "a", new DropTable("t", 1L)));
        commands.await(3_600_000);
        assertThat(takeOrders()).containsExactly("a");
        assertThat(commands.isWoken()).isFalse();
        scheduler.start("wakes", commands::wake);
        commands.await(3_600_000);
        assertThat(commands.isWoken()).isTrue();
        assertThat(commands.isWoken()).isFalse();
    }

    /** The bell that rang for it rings still. */
    @Test
    void whatWasTakenAlreadyWakesNobody() throws Exception {
        offer("ada", "a", new DropTable("t", 1L));
        assertThat(takeOrders()).hasSize(1);
        long before = scheduler.clock().nanos();
        commands.await(20);
        assertThat(scheduler.clock().nanos() - before).isGreaterThanOrEqualTo(20_000_000);
    }
}
