package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    /** What it was is in the log of the server, whose thread ends with it. */
    @Test
    void aMistakeOfTheServersOwnIsToldWithWhatToDoAndWithoutTheNameOfAClass() throws Exception {
        Clock broken = new Clock() {
            @Override
            public long micros() {
                throw new IllegalStateException("no time");
            }

            @Override
            public long nanos() {
                throw new IllegalStateException("no time");
            }
        };
        CompletableFuture<WriteResult> answer = new CompletableFuture<>();
        Write write = new Write(CommitFixture.put("r", "v"), new WriteId(1, 1, 1), Optional.empty());
        try (ThreadScheduler scheduler = new ThreadScheduler()) {
            Pools pools = new Pools(scheduler, TabletServerConfig.DEFAULT);
            new Conditions(pools, TabletHost.OPEN, broken)
                    .evaluate(
                            WriteEntry.of(new Caller("test", "", 0), 4, write, answer::complete),
                            CommitFixture.of(1).hosted);
            BigtableException told = answer.get(30, TimeUnit.SECONDS).failure().orElseThrow();
            assertThat(told)
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("a mistake of the server's own")
                    .hasMessageEndingWith("report it")
                    .hasMessageNotContaining("Exception");
        }
    }
}
