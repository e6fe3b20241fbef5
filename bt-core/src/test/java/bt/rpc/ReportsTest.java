package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Failures;
import bt.base.OverloadedException;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.protocol.Answer;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.CreateTable;
import bt.record.Done;
import bt.record.ServerLine;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TabletSplit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers that tell of nothing but how things are, which anybody may ask for as often as he likes. */
class ReportsTest {
    private static final long MILLIS = 20_000;
    private static final int REPORT_BYTES = 200_000;

    private final Queue<CompletableFuture<Answer>> asked = new ConcurrentLinkedQueue<>();
    private final RpcNetwork network = RpcNetwork.open("ada", Echo.CLOCK, 1);
    private final RpcServer server;

    ReportsTest() throws BigtableException {
        RpcLimits limits = new RpcLimits(
                RpcLimits.MAX_FRAME_BYTES,
                100,
                1_000,
                1 << 20,
                10_000,
                2 << 20,
                new RpcLimits.Peer(100, 10_000, 2 << 20),
                10_000,
                30_000,
                1);
        server = RpcServer.start(
                "127.0.0.1",
                0,
                (caller, request) -> {
                    CompletableFuture<Answer> answer = new CompletableFuture<>();
                    asked.add(answer);
                    return answer;
                },
                Echo.CLOCK,
                limits);
    }

    @AfterEach
    void close() {
        network.close();
        server.close();
    }

    private List<CompletableFuture<Answer>> ask(int times) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            answers.add(network.send(server.address(), new Request.Control(new ClusterStatusRequest()), MILLIS));
        }
        await().until(() -> asked.size() == times);
        return answers;
    }

    private static ClusterStatus report(List<ServerLine> servers) {
        return new ClusterStatus(1L, "i", 0, servers, List.of("p".repeat(REPORT_BYTES)));
    }

    private void answerAll(Answer answer) throws InterruptedException {
        Thread maker = new Thread(() -> asked.forEach(each -> each.complete(answer)), "maker");
        maker.start();
        maker.join();
    }

    @Test
    void reportsBeyondTheRoomOfAConnectionAreLetGo() throws Exception {
        List<CompletableFuture<Answer>> answers = ask(900);
        Answer report = new Answer.Control(report(List.of()));
        answerAll(report);
        int told = 0;
        for (CompletableFuture<Answer> each : answers) {
            Throwable failure = each.handle((answer, refused) -> refused).get(30, TimeUnit.SECONDS);
            if (failure == null) {
                told++;
            } else {
                assertThat(Failures.unwrap(failure))
                        .isInstanceOf(OverloadedException.class)
                        .hasMessageContaining("wait to be read")
                        .extracting(later -> ((OverloadedException) later).retryAfterMillis())
                        .isEqualTo(100L);
            }
            assertThat(server.budget().bytes()).isLessThan(2 << 20);
        }
        assertThat(told).isBetween(1, 899);
        await().until(server.budget()::isEmpty);
    }

    /** Of a few bytes of a table each, that is many times the frames. */
    @Test
    void whatRequestsThatWaitAreMadeIntoIsBounded() throws Exception {
        int frame = 4 << 10;
        Request table = new Request.Control(new CreateTable(
                TableRecord.newBuilder()
                        .setId(1)
                        .setName("t")
                        .setVersion(1)
                        .setNextFamilyId(2)
                        .setSync(true)
                        .setPhase(TablePhase.ACTIVE)
                        .setFamilies(List.of())
                        .setGroups(List.of())
                        .build(),
                Collections.nCopies(frame, Bytes.EMPTY.toBuffer())));
        // A split row takes 80 bytes.
        assertThatFewAreLetIn(table, 80 * frame, new Answer.Control(new Done()));
    }

    /** Of a row of one byte and a deletion, of which there may be many. */
    @Test
    void whatWritesThatWaitAreMadeIntoIsBounded() throws Exception {
        int writes = 20_000;
        RowMutation mutation = RowMutation.of(Bytes.utf8("r")).deleteRow().build();
        Write write = new Write(mutation, new WriteId(1, 1, 1), Optional.empty());
        Request mutate = new Request.Mutate(1, Collections.nCopies(writes, write), Request.Mutate.NO_MASTER);
        assertThatFewAreLetIn(mutate, 300 * writes, new Answer.Mutated(List.of()));
    }

    @Test
    void whatRangesOfScansThatWaitAreMadeIntoIsBounded() throws Exception {
        int ranges = 10_000;
        List<RowRange> rows = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            rows.add(RowRange.row(Bytes.wrap(new byte[] {(byte) (i >> 8), (byte) i})));
        }
        RowWalk walk = new RowWalk(new RowSet(rows), false);
        Request scan = new Request.Scan(1, walk, Filter.ALL, PageBounds.DEFAULT, Optional.empty());
        assertThatFewAreLetIn(scan, 100 * ranges, new Answer.Mutated(List.of()));
    }

    /** It may be as long as a frame, and has come: the connection is read no further until it is answered. */
    @Test
    void aRequestThatIsLongerThanWhatAConnectionMayHaveIsLetInBesideAnother() {
        List<CompletableFuture<Answer>> answers = ask(1);
        RowMutation.Builder mutation = RowMutation.of(Bytes.utf8("r"));
        for (int i = 0; i < 100; i++) {
            mutation.set("f", "q" + i, "v".repeat(11_000));
        }
        Write write = new Write(mutation.build(), new WriteId(1, 1, 1), Optional.empty());
        answers.add(network.send(
                server.address(), new Request.Mutate(1, List.of(write), Request.Mutate.NO_MASTER), MILLIS));
        await().until(() -> asked.size() == 2);
        assertThat(answers).noneMatch(CompletableFuture::isDone);
    }

    /** A server that has 2 MiB for requests takes in no more of them than fit with all that they are made into. */
    private void assertThatFewAreLetIn(Request request, int madeBytes, Answer inTheEnd) throws Exception {
        // Of one connection it would read no more.
        try (RpcServer wide = RpcServer.start(
                "127.0.0.1",
                0,
                (caller, asking) -> {
                    CompletableFuture<Answer> answer = new CompletableFuture<>();
                    asked.add(answer);
                    return answer;
                },
                Echo.CLOCK,
                RpcLimits.DEFAULT.perServer(10_000, 2 << 20))) {
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(network.send(wide.address(), request, MILLIS));
            }
            await().until(() -> asked.size()
                            + answers.stream()
                                    .filter(CompletableFuture::isCompletedExceptionally)
                                    .count()
                    == 100);
            // There is a reserve for control messages.
            assertThat(asked).hasSizeBetween(1, Math.max(1, (3 << 20) / madeBytes));
            assertThat(wide.budget().bytes()).isGreaterThan((long) asked.size() * madeBytes);
            for (CompletableFuture<Answer> each : answers) {
                if (each.isCompletedExceptionally()) {
                    assertThat(each.handle((answer, refused) -> Failures.unwrap(refused))
                                    .get(1, TimeUnit.SECONDS))
                            .isInstanceOf(OverloadedException.class)
                            .hasMessageContaining("in flight");
                }
            }
            answerAll(inTheEnd);
            await().until(wide.budget()::isEmpty);
        }
    }

    @Test
    void whatTellsOfAChangeIsNeverLetGo() throws Exception {
        List<CompletableFuture<Answer>> answers = ask(900);
        answerAll(
                new Answer.Control(new TabletSplit(Bytes.wrap(new byte[10_000]).toBuffer())));
        for (CompletableFuture<Answer> each : answers) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isInstanceOf(Answer.Control.class);
        }
    }

    @Test
    void aReportIsEncodedOnceForAllAndNotByWhoMadeIt() throws Exception {
        Queue<String> encoders = new ConcurrentLinkedQueue<>();
        List<ServerLine> servers = new ArrayList<>() {
            @Override
            public Iterator<ServerLine> iterator() {
                encoders.add(Thread.currentThread().getName());
                return super.iterator();
            }
        };
        List<CompletableFuture<Answer>> answers = ask(4);
        Answer report = new Answer.Control(report(servers));
        answerAll(report);
        for (CompletableFuture<Answer> each : answers) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isEqualTo(report);
        }
        // To compare it above takes going through it too.
        encoders.removeIf(name -> name.equals(Thread.currentThread().getName()));
        assertThat(encoders).hasSize(1).allMatch(name -> name.startsWith("bt-rpc-server"));
    }
}
