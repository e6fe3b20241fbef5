package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import bt.master.Commands.Command;
import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.DrainServer;
import bt.record.DropTable;
import bt.record.ProcessExited;
import bt.record.StopProcess;
import bt.record.SweepRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandsTest {
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Commands commands = new Commands(scheduler, "owner");

    @AfterEach
    void close() {
        scheduler.close();
    }

    private boolean offer(SpecificRecord message) {
        return offer("owner", message);
    }

    private boolean offer(String user, SpecificRecord message) {
        return commands.offer(new Command(user, message, new CompletableFuture<>()));
    }

    /** Anybody may have thousands of them under way. */
    @Test
    void whoeverAsksLeavesRoomForWhatTheOwnerWantsDone() throws Exception {
        for (int i = 0; i < Commands.BOUND_OF_OTHERS; i++) {
            assertThat(offer(i % 2 == 0 ? "owner" : "ada", new ClusterStatusRequest()))
                    .isTrue();
        }
        assertThat(offer("ada", new ClusterStatusRequest())).isFalse();
        assertThat(offer("owner", new ClusterStatusRequest())).isFalse();
        assertThat(offer("ada", new DropTable("t", 1L))).isFalse();
        for (SpecificRecord order : List.of(
                new ProcessExited("p"),
                new DrainServer("s", false),
                new DropTable("t", 1L),
                new SweepRequest(true, false))) {
            assertThat(offer("owner", order)).as(order.getSchema().getName()).isTrue();
        }
        assertThat(commands.take(0)).hasSize(Commands.BOUND_OF_OTHERS + 4);
        assertThat(offer("ada", new DropTable("t", 1L))).isTrue();
    }

    @Test
    void allThatWaitAreTakenAtOnceInTheirOrder() throws Exception {
        for (int i = 0; i < Commands.BOUND; i++) {
            assertThat(offer(i == 7 ? new ProcessExited("p") : new DrainServer("s", false)))
                    .isTrue();
        }
        assertThat(offer(new Done())).isFalse();
        assertThat(commands.take(0)).hasSize(Commands.BOUND).satisfies(taken -> {
            assertThat(taken.get(7).isQuestion()).isFalse();
            assertThat(taken.get(8).isQuestion()).isTrue();
        });
        assertThat(commands.take(0)).isEmpty();
    }

    @Test
    void aStopComesAlone() throws Exception {
        offer(new Done());
        offer(new StopProcess());
        offer(new Done());
        assertThat(commands.take(0)).hasSize(1).noneMatch(Command::isStop);
        assertThat(commands.take(0)).hasSize(1).allMatch(Command::isStop);
        assertThat(commands.take(0)).hasSize(1).noneMatch(Command::isStop);
    }
}
