package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import bt.master.Commands.Command;
import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.ProcessExited;
import bt.record.StopProcess;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandsTest {
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Commands commands = new Commands(scheduler);

    @AfterEach
    void close() {
        scheduler.close();
    }

    private boolean offer(SpecificRecord message) {
        return commands.offer(new Command("test", message, new CompletableFuture<>()));
    }

    @Test
    void allThatWaitAreTakenAtOnceInTheirOrder() throws Exception {
        for (int i = 0; i < Commands.BOUND; i++) {
            assertThat(offer(i == 7 ? new ProcessExited("p") : new ClusterStatusRequest()))
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
