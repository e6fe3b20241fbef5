package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.SharedAnswer;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.coord.Paths;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.MasterFile;
import bt.record.RecoveryReport;
import bt.record.RecoveryRequest;
import bt.record.SweepReport;
import bt.record.SweepRequest;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkReport;
import bt.testing.MemoryCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.specific.SpecificRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waits for what a master lists. */
class OperationWaitTest {
    private static final Address MASTER = new Address("master", 1);
    private static final WorkLine OVER = new WorkLine("t", TableWork.SPLIT, 0, null, List.of());
    private static final WorkLine UNDER_WAY = new WorkLine("t", TableWork.SPLIT, 2, null, List.of());
    private static final int CALLERS = 10;

    /** Each begins with a question for the status, which is answered when this is complete. */
    private final CompletableFuture<Boolean> open = new CompletableFuture<>();

    private final AtomicInteger looks = new AtomicInteger();
    private volatile List<WorkLine> lines = List.of();
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private OperationWait waiting;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile(MASTER.toString(), "nonce")));
        cluster.listen(MASTER, (caller, request) -> answer(((Request.Control) request).message())
                .thenApply(Answer.Control::new));
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        waiting = new OperationWait(bigtable.admin(), new Turns(1, 1_000), cluster.scheduler, 60_000);
    }

    @AfterEach
    void stop() {
        waiting.close();
        bigtable.close();
        cluster.close();
    }

    private CompletableFuture<SpecificRecord> answer(SpecificRecord question) {
        if (question instanceof ClusterStatusRequest) {
            looks.incrementAndGet();
            return open.thenApply(now -> new ClusterStatus(1L, "i", 0, List.of(), List.of()));
        }
        if (question instanceof RecoveryRequest) {
            return CompletableFuture.completedFuture(new RecoveryReport(List.of()));
        }
        return CompletableFuture.completedFuture(
                question instanceof SweepRequest ? new SweepReport(List.of()) : new WorkReport(lines));
    }

    /** Of a table that was dropped, and of the one that has its name now. */
    @Test
    void whatIsUnderWayIsToldBeforeWhatIsOverUnderTheSameName() throws Exception {
        open.complete(true);
        for (List<WorkLine> order : List.of(List.of(OVER, UNDER_WAY), List.of(UNDER_WAY, OVER))) {
            lines = order;
            Operation told = waiting.await("split/t", 0);
            assertThat(told.isDone()).isFalse();
            assertThat(told.tabletsLeft()).isEqualTo(2);
        }
    }

    /** One that is under way, and one for all who came since it began. */
    @Test
    void whoWaitsAtTheSameTimeSharesALook() throws Exception {
        lines = List.of(OVER);
        List<Thread> threads = new CopyOnWriteArrayList<>();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS, call -> {
            Thread thread = new Thread(call);
            threads.add(thread);
            return thread;
        });
        try {
            List<Future<Operation>> told = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                told.add(callers.submit(() -> waiting.await("split/t", 60_000)));
            }
            Awaitility.await().until(() -> looks.get() > 0 && threads.stream().allMatch(OperationWaitTest::waits));
            open.complete(true);
            for (Future<Operation> each : told) {
                assertThat(each.get().isDone()).isTrue();
            }
            assertThat(looks.get()).isBetween(1, 2);
        } finally {
            callers.shutdownNow();
        }
    }

    /** It has asked for a look, and waits for the answer. */
    private static boolean waits(Thread thread) {
        List<String> within = Arrays.stream(thread.getStackTrace())
                .map(StackTraceElement::getClassName)
                .toList();
        return within.contains(OperationWait.class.getName())
                && within.contains(CompletableFuture.class.getName())
                && !within.contains(SharedAnswer.class.getName());
    }
}
