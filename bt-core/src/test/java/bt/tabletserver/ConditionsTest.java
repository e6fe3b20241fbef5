package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.model.RowMutation;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    /** And holds nothing meanwhile, nor keeps anybody's thread. */
    @Test
    void aWriteWhoseRowIsLargeWaitsForRoomAndIsAppliedOnce() throws BigtableException {
        CommitFixture fixture = CommitFixture.of(1);
        fixture.run(() -> {
            WriteResult written = fixture.write("large", "v".repeat(2 << 20), new WriteId(1, 1, 1));
            assertThat(written.failure()).isEmpty();
            ReadRoom.Hold all = fixture.readRoom.hold();
            all.take(8 << 20);
            CompletableFuture<WriteResult> large =
                    fixture.begin(append("large"), new WriteId(1, 2, 2), Optional.empty());
            CompletableFuture<WriteResult> small =
                    fixture.begin(append("small"), new WriteId(1, 3, 2), Optional.empty());
            assertThat(fixture.simulation.await(small, 30_000)).isEqualTo(WriteResult.applied(1));
            fixture.simulation.pause(1_000);
            assertThat(large).isNotDone();
            assertThat(fixture.readRoom.bytes()).isEqualTo(8 << 20);
            all.end();
            assertThat(fixture.simulation.await(large, 30_000)).isEqualTo(WriteResult.applied((2 << 20) + 1));
            assertThat(fixture.read("large").get(0)).hasSize((2 << 20) + 1);
            assertThat(fixture.readRoom.bytes()).isZero();
        });
    }

    private static RowMutation append(String row) {
        return RowMutation.of(row).append(CommitFixture.COLUMN, Bytes.utf8("+")).build();
    }

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
