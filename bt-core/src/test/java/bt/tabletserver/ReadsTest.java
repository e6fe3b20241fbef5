package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.Failures;
import bt.base.UnavailableException;
import bt.model.RowRange;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.rpc.RpcNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of reads that nobody waits for any more, over real sockets. */
class ReadsTest {
    private static final int PIECES = 10;

    private ServedTablet served;
    private RpcNetwork mine;
    private RpcNetwork others;

    @BeforeEach
    void open() throws Exception {
        served = new ServedTablet();
        mine = served.client();
        others = served.client();
    }

    @AfterEach
    void close() throws Exception {
        mine.close();
        others.close();
        served.close();
    }

    @Test
    void aScanGoesThroughAllFiles() throws Exception {
        long before = served.diskReads.get();
        Answer.Page page = page(served.send(mine, ServedTablet.scan(RowRange.ALL)));
        assertThat(page.cells()).hasSize(ServedTablet.ROWS);
        assertThat(served.diskReads.get() - before).isGreaterThan(5);
    }

    @Test
    void theScanOfAClientThatGoesStops() throws Exception {
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        CompletableFuture<Answer> unused = served.send(others, ServedTablet.scan(RowRange.ALL));
        await().until(() -> served.diskReads.get() > before);
        others.close();
        awaitClosed();
        served.gate.complete(null);
        assertThat(served.isIdle()).isTrue();
        assertThat(served.diskReads.get()).isEqualTo(before + 1);
    }

    @Test
    void theRequestsOfAClientThatGoesAreDropped() throws Exception {
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Answer> unused = served.send(others, ServedTablet.get(i * PIECES));
        }
        await().until(() -> served.diskReads.get() == before + ServedTablet.READERS);
        others.close();
        awaitClosed();
        served.gate.complete(null);
        assertThat(served.isIdle()).isTrue();
        assertThat(served.diskReads.get()).isEqualTo(before + ServedTablet.READERS);
        assertThat(page(served.send(mine, ServedTablet.get(7))).cells()).hasSize(1);
    }

    @Test
    void aReadWhoseDeadlineIsPastIsNotBegun() throws Exception {
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        List<CompletableFuture<Answer>> running = new ArrayList<>();
        for (int i = 0; i < ServedTablet.READERS; i++) {
            running.add(served.send(mine, ServedTablet.get(i * PIECES)));
        }
        await().until(() -> served.diskReads.get() == before + ServedTablet.READERS);
        Request late = ServedTablet.get(100);
        CompletableFuture<Answer> waiting = mine.send(served.address(), late, 50);
        assertThat(failure(waiting)).isInstanceOf(UnavailableException.class);
        served.gate.complete(null);
        for (CompletableFuture<Answer> each : running) {
            assertThat(page(each).cells()).hasSize(1);
        }
        assertThat(served.isIdle()).isTrue();
        assertThat(served.diskReads.get()).isEqualTo(before + ServedTablet.READERS);
    }

    @Test
    void aScanStopsAtItsDeadline() throws Exception {
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        CompletableFuture<Answer> late = mine.send(served.address(), ServedTablet.scan(RowRange.ALL), 1_000);
        await().until(() -> served.diskReads.get() > before);
        assertThat(failure(late)).isInstanceOf(UnavailableException.class);
        served.gate.complete(null);
        assertThat(served.isIdle()).isTrue();
        assertThat(served.diskReads.get()).isEqualTo(before + 1);
    }

    private void awaitClosed() {
        await().atMost(Duration.ofSeconds(10)).until(() -> served.connections() == 0);
    }

    private static Answer.Page page(CompletableFuture<Answer> answer) throws Exception {
        return (Answer.Page) answer.get(30, TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletableFuture<Answer> answer) throws Exception {
        return answer.handle((page, failure) -> Failures.unwrap(failure)).get(30, TimeUnit.SECONDS);
    }
}
