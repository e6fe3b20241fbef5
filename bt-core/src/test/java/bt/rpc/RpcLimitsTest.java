package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Failures;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Service;
import bt.record.ClusterStatus;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What both sides of a connection do at their limits, and where the other side is silent. */
class RpcLimitsTest {
    private static final long MILLIS = 60_000;
    private static final int FRAME_BYTES = 1 << 20;

    private final AtomicLong aheadNanos = new AtomicLong();

    /** Where the clock stands, but for what it is put forward; null while it goes. */
    private volatile @Nullable Long stoppedNanos;

    private final RpcNetwork network = network();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** With a clock that can be put forward. */
    private RpcNetwork network() {
        return RpcNetwork.open(
                "ada",
                new Clock() {
                    @Override
                    public long micros() {
                        return nanos() / 1_000;
                    }

                    @Override
                    public long nanos() {
                        Long stopped = stoppedNanos;
                        return (stopped == null ? Echo.CLOCK.nanos() : stopped) + aheadNanos.get();
                    }
                },
                1);
    }

    @AfterEach
    void closeEverything() throws Exception {
        network.close();
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** It accepts, as every machine does for a process that hangs, and says nothing. */
    private Address silent() throws IOException {
        ServerSocket socket = new ServerSocket(0, 50, Loopback.of(1));
        open.add(socket);
        return new Address("127.0.0.1", socket.getLocalPort());
    }

    private RpcServer serve(Service service, RpcLimits limits) throws BigtableException {
        RpcServer server = RpcServer.start("127.0.0.1", 0, service, Echo.CLOCK, limits);
        open.add(server);
        return server;
    }

    /** With this for the longest frame and this many connections. */
    private static RpcLimits limits(int frameBytes, int connections) {
        return RpcLimits.DEFAULT.on(frameBytes, connections, 1);
    }

    private CompletableFuture<Answer> send(Address to, Bytes payload) {
        return network.send(to, Echo.request(payload), MILLIS);
    }

    private static BigtableException failure(CompletableFuture<Answer> answer) throws Exception {
        return answer.handle((value, failure) -> (BigtableException)
                        Failures.unwrap(failure == null ? new CompletionException(new AssertionError(value)) : failure))
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void moreCallsThanAConnectionBearsAreToldToComeBack() throws Exception {
        Address silent = silent();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < Connection.CALLS; i++) {
            sent.add(send(silent, Bytes.EMPTY));
        }
        BigtableException refused = failure(send(silent, Bytes.EMPTY));
        assertThat(refused)
                .isInstanceOf(OverloadedException.class)
                .hasMessageStartingWith(silent + ": " + Connection.CALLS + " requests with")
                .hasMessageContaining("wait on this connection");
        assertThat(((OverloadedException) refused).retryAfterMillis()).isPositive();
        assertThat(sent).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void moreUnsentBytesThanAConnectionBearsAreToldToComeBack() throws Exception {
        // It reads nothing more while it has the first.
        RpcServer server =
                serve((caller, request) -> new CompletableFuture<>(), RpcLimits.DEFAULT.perConnection(1, 64 << 20));
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        sent.add(send(server.address(), Bytes.EMPTY));
        await().until(() -> !server.budget().isEmpty());
        Bytes large = Bytes.wrap(new byte[16 << 20]);
        for (long bytes = 0; bytes < Connection.WAITING_BYTES; bytes += large.length()) {
            sent.add(send(server.address(), large));
        }
        BigtableException refused = failure(send(server.address(), Bytes.EMPTY));
        assertThat(refused).isInstanceOf(OverloadedException.class).hasMessageContaining("unsent bytes wait");
        assertThat(sent).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void aServerThatNeverWelcomesIsLeft() throws Exception {
        Address silent = silent();
        long begun = System.nanoTime();
        BigtableException left = failure(send(silent, Bytes.EMPTY));
        assertThat(left)
                .isInstanceOf(UnavailableException.class)
                .hasMessage(silent + ": no welcome within " + Connection.HANDSHAKE_MILLIS + " ms");
        // Nobody has seen it.
        assertThat(left.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void aServerFromWhichNothingComesForTenSecondsIsLeft() throws Exception {
        RpcServer server = serve((caller, request) -> new CompletableFuture<>(), RpcLimits.DEFAULT);
        CompletableFuture<Answer> patient = send(server.address(), Bytes.EMPTY);
        await().until(() -> !server.budget().isEmpty());
        aheadNanos.addAndGet(Connection.SILENCE_NANOS / 2);
        assertThat(failure(network.send(server.address(), Echo.request(Bytes.EMPTY), 50)))
                .hasMessageContaining("no answer within 50 ms");
        await().during(200, TimeUnit.MILLISECONDS).until(() -> !patient.isDone());
        aheadNanos.addAndGet(Connection.SILENCE_NANOS / 2);
        assertThat(failure(network.send(server.address(), Echo.request(Bytes.EMPTY), 50)))
                .hasMessageContaining("no answer within 50 ms");
        BigtableException left = failure(patient);
        assertThat(left).isInstanceOf(UnavailableException.class).hasMessageContaining("nothing came for 10 s");
        assertThat(left.outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    /** It may hang, and then takes connections and welcomes nobody. */
    @Test
    void aServerThatWasLeftForItsSilenceIsNotDialedAtOnce() throws Exception {
        AtomicBoolean hangs = new AtomicBoolean(true);
        RpcServer server = serve(
                (caller, request) -> hangs.get() ? new CompletableFuture<>() : new Echo().handle(caller, request),
                RpcLimits.DEFAULT);
        CompletableFuture<Answer> patient = send(server.address(), Bytes.EMPTY);
        await().until(() -> !server.budget().isEmpty());
        aheadNanos.addAndGet(Connection.SILENCE_NANOS);
        assertThat(failure(network.send(server.address(), Echo.request(Bytes.EMPTY), 50)))
                .hasMessageContaining("no answer within 50 ms");
        assertThat(failure(patient)).hasMessageContaining("nothing came for 10 s");
        stoppedNanos = Echo.CLOCK.nanos();
        hangs.set(false);
        await().until(() -> server.connections() == 0);
        BigtableException left = failure(send(server.address(), Bytes.EMPTY));
        assertThat(left).isInstanceOf(UnavailableException.class).hasMessageContaining("nothing came for 10 s");
        assertThat(left.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(server.connections()).isZero();
        aheadNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(Connection.HANDSHAKE_MILLIS));
        assertThat(send(server.address(), Bytes.EMPTY).get(30, TimeUnit.SECONDS))
                .isEqualTo(Echo.answer(Bytes.EMPTY));
    }

    @Test
    void aServerThatAnswersOthersIsNotSilent() throws Exception {
        CompletableFuture<Answer> never = new CompletableFuture<>();
        RpcServer server = serve(
                (caller, request) ->
                        request.equals(Echo.request(Bytes.EMPTY)) ? never : new Echo().handle(caller, request),
                RpcLimits.DEFAULT);
        CompletableFuture<Answer> patient = send(server.address(), Bytes.EMPTY);
        await().until(() -> !server.budget().isEmpty());
        aheadNanos.addAndGet(Connection.SILENCE_NANOS);
        Bytes other = Bytes.utf8("other");
        assertThat(send(server.address(), other).get(30, TimeUnit.SECONDS)).isEqualTo(Echo.answer(other));
        assertThat(failure(network.send(server.address(), Echo.request(Bytes.EMPTY), 50)))
                .hasMessageContaining("no answer within 50 ms");
        never.complete(Echo.answer(Bytes.EMPTY));
        assertThat(patient.get(30, TimeUnit.SECONDS)).isEqualTo(Echo.answer(Bytes.EMPTY));
    }

    @Test
    void aRequestLongerThanTheServerTakesIsTheCallersMistakeAndNeverSent() throws Exception {
        RpcServer server = serve(new Echo(), limits(FRAME_BYTES, 100));
        assertThat(send(server.address(), Bytes.EMPTY).get(30, TimeUnit.SECONDS))
                .isEqualTo(Echo.answer(Bytes.EMPTY));
        assertThat(failure(send(server.address(), Bytes.wrap(new byte[FRAME_BYTES]))))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("more than " + FRAME_BYTES + ": send it in parts");
        // The connection is as before.
        assertThat(send(server.address(), Bytes.EMPTY).get(30, TimeUnit.SECONDS))
                .isEqualTo(Echo.answer(Bytes.EMPTY));
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void anAnswerLongerThanAFrameIsToldToBeAskedForInParts() throws Exception {
        ClusterStatus report = new ClusterStatus(1L, "i", 0, List.of(), List.of("p".repeat(FRAME_BYTES)));
        for (Answer tooLong : List.of(Echo.answer(Bytes.wrap(new byte[FRAME_BYTES])), new Answer.Control(report))) {
            RpcServer server =
                    serve((caller, request) -> CompletableFuture.completedFuture(tooLong), limits(FRAME_BYTES, 100));
            assertThat(failure(send(server.address(), Bytes.EMPTY)))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("more than a frame of " + FRAME_BYTES + ": ask for smaller pages");
            await().until(server.budget()::isEmpty);
        }
    }

    @Test
    void whoFindsNoConnectionFreeIsToldToComeBackAndServedWhenOneIs() throws Exception {
        RpcServer server = serve(new Echo(), limits(FRAME_BYTES, 1));
        assertThat(send(server.address(), Bytes.EMPTY).get(30, TimeUnit.SECONDS))
                .isEqualTo(Echo.answer(Bytes.EMPTY));
        try (RpcNetwork late = RpcNetwork.open("bob", Echo.CLOCK, 1)) {
            // Each tries anew, for what the first was told is held against nobody for long.
            for (int i = 0; i < 3; i++) {
                BigtableException refused = failure(late.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS));
                assertThat(refused)
                        .isInstanceOf(OverloadedException.class)
                        .hasMessageContaining("1 are open, no more than 1 are allowed");
                assertThat(((OverloadedException) refused).retryAfterMillis()).isEqualTo(1_000);
                assertThat(refused.outcome()).isEqualTo(Outcome.NOT_APPLIED);
            }
            network.close();
            await().atMost(20, TimeUnit.SECONDS)
                    .until(() -> late.send(server.address(), Echo.request(Bytes.EMPTY), MILLIS)
                            .handle((answer, failure) -> failure == null)
                            .get(30, TimeUnit.SECONDS));
        }
    }
}
