package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.master.Commands.Command;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.record.ClusterStatusRequest;
import bt.record.DropTable;
import bt.record.StopProcess;
import bt.testing.MemoryLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeskTest {
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final MemoryLocks locks = new MemoryLocks();
    private final Commands commands = new Commands(scheduler, "owner");
    private final Desk desk = new Desk(commands, new Permits(locks, new Catalogue(locks), "owner"), scheduler);

    @AfterEach
    void close() {
        scheduler.close();
    }

    /** Who is told that it may have been done would not dare to ask again. */
    @Test
    void whatWaitsWhenATurnFailsIsNotApplied() {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (SpecificRecord message : List.of(new StopProcess(), new DropTable("t", 1L), new ClusterStatusRequest())) {
            Caller caller = new Caller("ada", "a:40000", scheduler.clock().nanos() + 3_600_000_000_000L);
            Command command = new Command(caller, message, new CompletableFuture<>());
            assertThat(commands.offer(command)).isTrue();
            answers.add(command.answer());
        }
        desk.fail(new UnavailableException("the lock is not renewed", Outcome.UNKNOWN));
        assertThat(answers).allSatisfy(answer -> assertThatThrownBy(answer::get)
                .cause()
                .hasMessage("the lock is not renewed")
                .isInstanceOfSatisfying(UnavailableException.class, failed -> assertThat(failed.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED)));
        assertThat(commands.size()).isZero();
    }
}
