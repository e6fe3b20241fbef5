package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Codec;
import bt.protocol.Request;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What connections of one event loop leave each other of it, when requests come on them without a pause. */
class LoopShareTest {
    private static final int FLOODS = 6;
    private static final Bytes FLOOD = Bytes.utf8("flood");
    private static final Bytes HOLD = Bytes.utf8("hold");

    private final List<Socket> sockets = new ArrayList<>();
    private final List<Thread> writers = new ArrayList<>();

    /** What the loop is at, which waits until it may go on. */
    private final LinkedBlockingQueue<CountDownLatch> held = new LinkedBlockingQueue<>();

    private volatile boolean isSlow = true;

    private final RpcServer server;

    LoopShareTest() throws Exception {
        RpcLimits many = RpcLimits.DEFAULT;
        RpcLimits oneLoop = many.on(many.frameBytes(), many.connections(), 1);
        server = RpcServer.start("127.0.0.1", 0, this::answer, Echo.CLOCK, oneLoop);
    }

    @AfterEach
    void close() throws Exception {
        isSlow = false;
        held.forEach(CountDownLatch::countDown);
        for (Socket socket : sockets) {
            socket.close();
        }
        for (Thread writer : writers) {
            writer.join();
        }
        server.close();
    }

    /** A request of a flood takes a millisecond, one that is to hold the loop until it may go on. */
    private CompletableFuture<Answer> answer(Caller caller, Request request) {
        Bytes payload = Echo.payload(request);
        try {
            if (isSlow && payload.equals(FLOOD)) {
                Thread.sleep(1);
            } else if (isSlow && payload.equals(HOLD)) {
                CountDownLatch here = new CountDownLatch(1);
                held.add(here);
                here.await();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return CompletableFuture.completedFuture(Echo.answer(payload));
    }

    /** What a connection has ready is more than a thousand requests. */
    @Test
    void whoeverSendsWithoutAPauseKeepsTheLoopFromNobody() throws Exception {
        Socket holder = greeted();
        Socket other = greeted();
        List<Socket> floods = new ArrayList<>();
        for (int i = 0; i < FLOODS; i++) {
            floods.add(greeted());
        }
        holder.getOutputStream().write(request(HOLD));
        CountDownLatch hold = held.take();
        byte[] request = request(FLOOD);
        for (Socket socket : floods) {
            Thread writer = new Thread(() -> write(socket, request, 8_000));
            writer.start();
            writers.add(writer);
        }
        // Until all that finds room at the server is there.
        Thread.sleep(500);
        other.getOutputStream().write(request(Bytes.utf8("mine")));
        long begun = System.nanoTime();
        hold.countDown();
        awaitAnswer(other);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    /** It works, however much more there is to read before it comes to what it is asked to do. */
    @Test
    void aLoopThatHasWorkedOffWhatOneConnectionSentHasGotOn() throws Exception {
        Socket holder = greeted();
        Socket one = greeted();
        Socket another = greeted();
        holder.getOutputStream().write(request(HOLD));
        CountDownLatch hold = held.take();
        // Both are ready when the loop next looks.
        one.getOutputStream().write(request(HOLD));
        another.getOutputStream().write(request(HOLD));
        Thread.sleep(200);
        hold.countDown();
        CountDownLatch first = held.take();
        CompletableFuture<Void> turns = server.turns();
        assertThat(turns).isNotDone();
        first.countDown();
        CountDownLatch second = held.take();
        await().until(turns::isDone);
        CompletableFuture<Void> whileItIsHeld = server.turns();
        assertThat(whileItIsHeld).isNotDone();
        second.countDown();
        await().until(whileItIsHeld::isDone);
    }

    private static void awaitAnswer(Socket socket) throws IOException, BigtableException {
        byte[] header = socket.getInputStream().readNBytes(Frame.HEADER_BYTES);
        assertThat(header).hasSize(Frame.HEADER_BYTES);
        int length = Frame.Header.decode(header, RpcLimits.MAX_FRAME_BYTES).length();
        assertThat(socket.getInputStream().readNBytes(length)).hasSize(length);
    }

    private static void write(Socket socket, byte[] request, int count) {
        Output many = new Output(request.length * count);
        for (int i = 0; i < count; i++) {
            many.raw(request);
        }
        try {
            socket.getOutputStream().write(many.array(), 0, many.size());
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private Socket greeted() throws Exception {
        Socket socket = new Socket(server.address().host(), server.address().port());
        sockets.add(socket);
        socket.setTcpNoDelay(true);
        Output hello = Frame.begin(Frame.Kind.HELLO, 0, 0);
        new Hello(Codec.controlFingerprint(), "ada").encode(hello);
        socket.getOutputStream().write(ByteBufUtil.getBytes(Frame.finish(hello)));
        awaitAnswer(socket);
        return socket;
    }

    private static byte[] request(Bytes payload) {
        Output out = Frame.begin(Frame.Kind.REQUEST, 1, 60_000);
        Codec.encode(Echo.request(payload), out);
        return ByteBufUtil.getBytes(Frame.finish(out));
    }
}
