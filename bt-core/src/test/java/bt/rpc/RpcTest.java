package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Failures;
import bt.base.FencedException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Together;
import bt.base.UnavailableException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Condition;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.testing.SeededTest;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RpcTest {
    private static final long MILLIS = 20_000;

    private final RpcNetwork network = RpcNetwork.open("ada", Echo.CLOCK, 1);
    private final List<RpcServer> servers = new ArrayList<>();

    @AfterEach
    void closeEverything() {
        network.close();
        servers.forEach(RpcServer::close);
    }

    @SeededTest(runs = 3)
    void thousandsOfPipelinedRequestsEachGetTheirOwnAnswer(RandomGenerator random) throws Exception {
        RpcServer server = serve(new Echo(), RpcLimits.DEFAULT);
        List<Bytes> payloads = new ArrayList<>();
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = new byte[random.nextInt(100) == 0 ? random.nextInt(200_000) : random.nextInt(2_000)];
            random.nextBytes(bytes);
            payloads.add(Bytes.wrap(bytes));
            answers.add(network.send(server.address(), Echo.request(payloads.get(i)), MILLIS));
        }
        for (int i = 0; i < payloads.size(); i++) {
            assertThat(get(answers.get(i))).isEqualTo(Echo.answer(payloads.get(i)));
        }
        await().until(server.budget()::isEmpty);
    }

    @Test
    void answersComeInTheOrderInWhichTheyAreReady() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<Answer>> held = new ConcurrentLinkedQueue<>();
        RpcServer server = serve((caller, request) -> hold(held), RpcLimits.DEFAULT);
        CompletableFuture<Answer> first = network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS);
        CompletableFuture<Answer> second = network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS);
        await().until(() -> held.size() == 2);
        List<CompletableFuture<Answer>> inOrder = List.copyOf(held);
        inOrder.get(1).complete(Echo.answer(Bytes.utf8("second")));
        assertThat(get(second)).isEqualTo(Echo.answer(Bytes.utf8("second")));
        assertThat(first).isNotDone();
        inOrder.get(0).complete(Echo.answer(Bytes.utf8("first")));
        assertThat(get(first)).isEqualTo(Echo.answer(Bytes.utf8("first")));
    }

    @Test
    void answersThatAreMadeTogetherAreSentTogetherToEachTheirOwn() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<Answer>> held = new ConcurrentLinkedQueue<>();
        RpcServer server = serve((caller, request) -> hold(held), RpcLimits.DEFAULT);
        List<CompletableFuture<Answer>> asked = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            asked.add(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        }
        await().until(() -> held.size() == 20);
        List<CompletableFuture<Answer>> inOrder = List.copyOf(held);
        Together.gather(() -> {
            for (int i = 0; i < 20; i++) {
                inOrder.get(i).complete(new Answer.Mutated(List.of(WriteResult.applied(i))));
            }
            assertThatThrownBy(() -> asked.get(0).get(200, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
        });
        for (int i = 0; i < 20; i++) {
            assertThat(get(asked.get(i))).isEqualTo(new Answer.Mutated(List.of(WriteResult.applied(i))));
        }
        await().until(server.budget()::isEmpty);
    }

    @Test
    void theServiceLearnsWhoAsksAndUntilWhen() throws Exception {
        CompletableFuture<Caller> asked = new CompletableFuture<>();
        RpcServer server = serve(
                (caller, request) -> {
                    asked.complete(caller);
                    return new Echo().handle(caller, request);
                },
                RpcLimits.DEFAULT);
        get(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        Caller caller = asked.get(1, TimeUnit.SECONDS);
        assertThat(caller.user()).isEqualTo("ada");
        assertThat(caller.address()).startsWith("127.0.0.1:");
        assertThat(caller.deadlineNanos() - Echo.CLOCK.nanos())
                .isBetween(TimeUnit.MILLISECONDS.toNanos(MILLIS / 2), TimeUnit.MILLISECONDS.toNanos(MILLIS));
    }

    /** Encoded it would not fit any array, though the application holds one value of it. */
    @Test
    void aRequestThatIsFarTooLargeIsRefusedBeforeItIsEncoded() throws Exception {
        RpcServer server = serve(new Echo(), RpcLimits.DEFAULT);
        Bytes value = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
        RowMutation.Builder mutation = RowMutation.of("r");
        for (int i = 0; i < 33; i++) {
            mutation.set(ColumnKey.of("f", "q" + i), value);
        }
        RowMutation small = RowMutation.of("r").set("f", "q", "v").build();
        Condition condition =
                new Condition.Passes(Filter.ALL, true, mutation.build().changes());
        WriteId id = new WriteId(1, 1, 1);
        for (Request request : List.of(
                new Request.Mutate(1, List.of(new Write(mutation.build(), id, Optional.empty()))),
                new Request.Mutate(1, List.of(new Write(small, id, Optional.of(condition)))),
                new Request.Scan(1, rows(33), Filter.ALL, PageBounds.DEFAULT, Optional.empty()))) {
            BigtableException failure = failure(network.send(server.address(), request, MILLIS));
            assertThat(failure)
                    .isInstanceOf(RejectedException.class)
                    .hasMessageMatching(".*: a request of \\d{10} bytes, more than 83886080: send it in parts");
            assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        }
    }

    /** All parts of one array, in which each begins with another byte. */
    private static RowWalk rows(int count) {
        byte[] all = new byte[Limits.VALUE_BYTES + 2 * count];
        for (int i = 0; i < 2 * count; i++) {
            all[i] = (byte) i;
        }
        List<RowRange> ranges = new ArrayList<>();
        for (int i = 0; i < 2 * count; i += 2) {
            Bytes start = Bytes.wrap(all, i, Limits.VALUE_BYTES);
            ranges.add(RowRange.of(start, Bytes.wrap(all, i + 1, Limits.VALUE_BYTES)));
        }
        return new RowWalk(new RowSet(ranges), false);
    }

    @Test
    void aFailureOfTheServiceIsTheCallersFailure() throws Exception {
        RpcServer server = serve(
                (caller, request) -> CompletableFuture.failedFuture(new FencedException("lost", Outcome.NOT_APPLIED)),
                RpcLimits.DEFAULT);
        BigtableException failure = failure(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        assertThat(failure).isInstanceOf(FencedException.class).hasMessage("lost");
        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
    }

    @Test
    void aBugInTheServiceClosesTheConnectionAndTheNextRequestOpensAnother() throws Exception {
        RpcServer server = serve(
                (caller, request) -> {
                    if (request.equals(Echo.request(Bytes.EMPTY))) {
                        throw new IllegalStateException("a bug, on purpose");
                    }
                    return new Echo().handle(caller, request);
                },
                RpcLimits.DEFAULT);
        BigtableException failure = failure(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        assertThat(failure).isInstanceOf(UnavailableException.class);
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
        Bytes next = Bytes.utf8("next");
        assertThat(get(network.send(server.address(), Echo.request(next), MILLIS)))
                .isEqualTo(Echo.answer(next));
    }

    @Test
    void anErrorInTheServiceClosesTheConnectionAndGivesBackWhatTheRequestHeld() throws Exception {
        RpcServer server = serve(
                (caller, request) -> {
                    throw new StackOverflowError("on purpose");
                },
                RpcLimits.DEFAULT);
        BigtableException failure = failure(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        assertThat(failure).isInstanceOf(UnavailableException.class);
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
        await().until(server.budget()::isEmpty);
    }

    @Test
    void noAnswerInTimeIsAnUnknownOutcome() throws Exception {
        RpcServer server = serve((caller, request) -> new CompletableFuture<>(), RpcLimits.DEFAULT);
        BigtableException failure = failure(network.send(server.address(), Echo.request(Bytes.EMPTY), 60));
        assertThat(failure).isInstanceOf(UnavailableException.class).hasMessageContaining("no answer within 60 ms");
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    /** They are looked through together, whatever the order of their times and of their sending. */
    @Test
    void eachCallEndsWhenItsOwnTimeIsOver() throws Exception {
        RpcServer server = serve(
                (caller, request) -> Echo.payload(request).isEmpty()
                        ? new CompletableFuture<>()
                        : new Echo().handle(caller, request),
                RpcLimits.DEFAULT);
        List<Integer> over = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int millis : List.of(700, 100, 1_000, 100, 400)) {
            long began = System.nanoTime();
            CompletableFuture<Answer> sent = network.send(server.address(), Echo.request(Bytes.EMPTY), millis);
            all.add(sent.handle((answer, failure) -> {
                assertThat(failure).hasMessageContaining("no answer within " + millis + " ms");
                assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(millis * 1_000_000L);
                over.add(millis);
                return null;
            }));
            // One that is answered makes no other end.
            Bytes now = Bytes.utf8("now");
            assertThat(get(network.send(server.address(), Echo.request(now), MILLIS)))
                    .isEqualTo(Echo.answer(now));
        }
        for (CompletableFuture<?> one : all) {
            one.get(5, TimeUnit.SECONDS);
        }
        assertThat(over).containsExactlyInAnyOrder(100, 100, 400, 700, 1_000);
    }

    @Test
    void nobodyThereIsNotApplied() throws Exception {
        RpcServer gone = serve(new Echo(), RpcLimits.DEFAULT);
        gone.close();
        for (int i = 0; i < 3; i++) {
            BigtableException failure = failure(network.send(gone.address(), Echo.request(Bytes.EMPTY), MILLIS));
            assertThat(failure).isInstanceOf(UnavailableException.class).hasMessageContaining("cannot connect");
            assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        }
    }

    @Test
    void aServerThatGoesTakesItsRequestsAlongAndItsSuccessorIsFound() throws Exception {
        RpcServer first = serve((caller, request) -> new CompletableFuture<>(), RpcLimits.DEFAULT);
        Address address = first.address();
        List<CompletableFuture<Answer>> lost = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            lost.add(network.send(address, Echo.request(Bytes.EMPTY), MILLIS));
        }
        await().until(() -> first.budget().toString().contains("has 100 requests"));
        first.close();
        for (CompletableFuture<Answer> each : lost) {
            BigtableException failure = failure(each);
            assertThat(failure).isInstanceOf(UnavailableException.class);
            assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
        }
        servers.add(RpcServer.start(address.host(), address.port(), new Echo(), Echo.CLOCK, RpcLimits.DEFAULT));
        await().atMost(10, TimeUnit.SECONDS).until(() -> answers(address));
    }

    @Test
    void aTakenPortIsTheCallersMistakeAndOneLine() throws Exception {
        Address taken = serve(new Echo(), RpcLimits.DEFAULT).address();
        assertThatThrownBy(() -> RpcServer.start(taken.host(), taken.port(), new Echo(), Echo.CLOCK, RpcLimits.DEFAULT))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(taken + ": cannot listen")
                .hasMessageContaining("stop the process that holds the port")
                .hasMessageNotContaining("\n");
    }

    @Test
    void moreRequestsThanTheServerBearsAreToldToComeBack() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<Answer>> held = new ConcurrentLinkedQueue<>();
        RpcServer server = serve((caller, request) -> hold(held), RpcLimits.DEFAULT.perServer(10, 1 << 20));
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            sent.add(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        }
        for (CompletableFuture<Answer> refused : sent.subList(10, 25)) {
            BigtableException failure = failure(refused);
            assertThat(failure).isInstanceOf(OverloadedException.class);
            assertThat(((OverloadedException) failure).retryAfterMillis()).isEqualTo(100);
        }
        held.forEach(answer -> answer.complete(Echo.answer(Bytes.EMPTY)));
        for (CompletableFuture<Answer> served : sent.subList(0, 10)) {
            assertThat(get(served)).isEqualTo(Echo.answer(Bytes.EMPTY));
        }
        await().until(server.budget()::isEmpty);
    }

    @Test
    void pagesGiveTheirMemoryBackWhetherTheyWereSentOrFoundNoRoom() throws Exception {
        long before = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
        ConcurrentLinkedQueue<CompletableFuture<Answer>> held = new ConcurrentLinkedQueue<>();
        RpcServer server = serve((caller, request) -> hold(held), RpcLimits.DEFAULT.perServer(10, 1 << 20));
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sent.add(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        }
        await().until(() -> held.size() == 4);
        Answer page = Echo.answer(Bytes.wrap(new byte[800_000]));
        Answer tooLarge = Echo.answer(Bytes.wrap(new byte[2_000_000]));
        held.remove().complete(tooLarge);
        assertThat(failure(sent.get(0))).isInstanceOf(OverloadedException.class);
        held.remove().complete(page);
        assertThat(get(sent.get(1))).isEqualTo(page);
        network.close();
        held.remove().complete(page);
        server.close();
        held.remove().complete(page);
        await().until(() -> PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() <= before);
    }

    @Test
    void whatKeepsTheClusterGoingComesInWhereUsersAreRefused() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<Answer>> held = new ConcurrentLinkedQueue<>();
        RpcServer server = serve((caller, request) -> hold(held), RpcLimits.DEFAULT.perServer(80, 1 << 20));
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            sent.add(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        }
        await().until(() -> held.size() == 80);
        assertThat(failure(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS)))
                .isInstanceOf(OverloadedException.class);
        Request ofMetadata = new Request.Scan(0, RowRange.ALL, Filter.ALL, PageBounds.DEFAULT, Optional.empty());
        sent.add(network.send(server.address(), ofMetadata, MILLIS));
        await().until(() -> held.size() == 81);
        held.forEach(answer -> answer.complete(Echo.answer(Bytes.EMPTY)));
        for (CompletableFuture<Answer> served : sent) {
            assertThat(get(served)).isEqualTo(Echo.answer(Bytes.EMPTY));
        }
        await().until(server.budget()::isEmpty);
    }

    @Test
    void theServiceLearnsThatWhoAskedIsGone() throws Exception {
        ConcurrentLinkedQueue<Caller> callers = new ConcurrentLinkedQueue<>();
        RpcServer server = serve(
                (caller, request) -> {
                    callers.add(caller);
                    return new CompletableFuture<>();
                },
                RpcLimits.DEFAULT);
        CompletableFuture<Answer> unused = network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS);
        await().until(() -> callers.size() == 1);
        Caller caller = callers.element();
        caller.checkWaits(Echo.CLOCK.nanos());
        network.close();
        await().until(() -> caller.gone().getAsBoolean());
        assertThatThrownBy(() -> caller.checkWaits(Echo.CLOCK.nanos()))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("is gone");
    }

    /** Else a value of 64 MB came to nobody who has asked for anything else meanwhile. */
    @Test
    void anAnswerAsLargeAsAllThatAConnectionMayHaveIsSentBesideRequestsThatWait() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<Answer>> held = new ConcurrentLinkedQueue<>();
        RpcServer server = serve((caller, request) -> hold(held), RpcLimits.DEFAULT.perConnection(8, 1 << 20));
        CompletableFuture<Answer> large = network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS);
        await().until(() -> held.size() == 1);
        CompletableFuture<Answer> waiting = network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS);
        await().until(() -> held.size() == 2);
        Answer page = Echo.answer(Bytes.wrap(new byte[2 << 20]));
        held.remove().complete(page);
        assertThat(get(large)).isEqualTo(page);
        assertThat(waiting).isNotDone();
        held.remove().complete(page);
        assertThat(get(waiting)).isEqualTo(page);
        await().until(server.budget()::isEmpty);
    }

    @Test
    void aConnectionWithManyRequestsInFlightIsNotReadFrom() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<Answer>> held = new ConcurrentLinkedQueue<>();
        RpcServer server = serve((caller, request) -> hold(held), RpcLimits.DEFAULT.perConnection(8, 1 << 20));
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        Bytes large = Bytes.wrap(new byte[100_000]);
        for (int i = 0; i < 400; i++) {
            sent.add(network.send(server.address(), Echo.request(large), MILLIS));
        }
        await().until(() -> held.size() >= 8);
        await().during(200, TimeUnit.MILLISECONDS).until(() -> held.size() <= 8 + 2);
        while (!sent.stream().allMatch(CompletableFuture::isDone)) {
            CompletableFuture<Answer> next = held.poll();
            if (next != null) {
                next.complete(Echo.answer(Bytes.EMPTY));
            }
        }
        for (CompletableFuture<Answer> each : sent) {
            assertThat(get(each)).isEqualTo(Echo.answer(Bytes.EMPTY));
        }
    }

    @Test
    void closingLeavesNoThread() throws Exception {
        RpcServer server = serve(new Echo(), RpcLimits.DEFAULT);
        get(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
        CompletableFuture<Answer> none =
                network.send(new Address("no-such-host.invalid", 1), Echo.request(Bytes.EMPTY), 1);
        assertThat(failure(none)).isInstanceOf(UnavailableException.class);
        network.close();
        server.close();
        await().atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("bt-rpc")));
        assertThat(failure(network.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS)))
                .isInstanceOf(UnavailableException.class);
    }

    private RpcServer serve(Service service, RpcLimits limits) throws BigtableException {
        RpcServer server = RpcServer.start("127.0.0.1", 0, service, Echo.CLOCK, limits);
        servers.add(server);
        return server;
    }

    private boolean answers(Address address) throws Exception {
        return !network.send(address, Echo.request(Bytes.EMPTY), 500)
                .handle((answer, failure) -> failure != null)
                .get(5, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Answer> hold(ConcurrentLinkedQueue<CompletableFuture<Answer>> held) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        held.add(answer);
        return answer;
    }

    private static Answer get(CompletableFuture<Answer> answer) throws Exception {
        return answer.get(30, TimeUnit.SECONDS);
    }

    private static BigtableException failure(CompletableFuture<Answer> answer) throws Exception {
        return answer.handle((value, failure) -> (BigtableException)
                        Failures.unwrap(failure == null ? new CompletionException(new AssertionError(value)) : failure))
                .get(30, TimeUnit.SECONDS);
    }
}
