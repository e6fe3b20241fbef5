package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.Output;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Answer.Page;
import bt.protocol.Codec;
import bt.protocol.Request;
import bt.protocol.RowResume;
import io.netty.buffer.ByteBufUtil;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What who has asked for a page is told of it before all of it has come. */
class PageEdgeTest {
    private static final long MILLIS = 20_000;
    private static final int SOON_MILLIS = 10_000;
    private static final Bytes EDGE = Bytes.utf8("edge");

    private final RpcNetwork network = RpcNetwork.open("ada", Echo.CLOCK, 1);
    private final CompletableFuture<Bytes> edge = new CompletableFuture<>();
    private ServerSocket listening;
    private @Nullable Socket accepted;

    /** The id of the request that is to be answered. */
    private long asked;

    @BeforeEach
    void listen() throws IOException {
        listening = new ServerSocket(0, 50, Loopback.of(1));
        listening.setSoTimeout(SOON_MILLIS);
    }

    @AfterEach
    void closeEverything() throws IOException {
        network.close();
        if (accepted != null) {
            accepted.close();
        }
        listening.close();
    }

    @Test
    void isItsEdgeOnceThatIsThere() throws Exception {
        Page page = page(Optional.of(EDGE), Optional.empty(), 100_000);
        CompletableFuture<Answer> answer = ask();
        byte[] frame = frame(page);
        write(frame, 0, 2_000);
        assertThat(edge.get(SOON_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(EDGE);
        assertThat(answer).isNotDone();
        write(frame, 2_000, frame.length);
        assertThat(answer.get(SOON_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(page);
    }

    /** It is told all the same, and whoever heard of it is told that it was nothing. */
    @Test
    void isAFailureBehindItWhereTheRestIsDamaged() throws Exception {
        CompletableFuture<Answer> answer = ask();
        byte[] frame = frame(page(Optional.of(EDGE), Optional.empty(), 100_000));
        frame[frame.length - 1] ^= 1;
        write(frame, 0, 2_000);
        assertThat(edge.get(SOON_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(EDGE);
        write(frame, 2_000, frame.length);
        assertThatThrownBy(() -> answer.get(SOON_MILLIS, TimeUnit.MILLISECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(UnavailableException.class);
    }

    @Test
    void isNothingOfTheLastOneOrWhereARowGoesOn() throws Exception {
        isNotTold(page(Optional.empty(), Optional.empty(), 100_000));
        isNotTold(page(Optional.of(EDGE), Optional.of(new RowResume(EDGE, 1, 1)), 100_000));
    }

    /** A get comes whole, or nearly so: to look at its beginning would cost each of them something. */
    @Test
    void isNothingOfAShortOne() throws Exception {
        isNotTold(page(Optional.of(EDGE), Optional.empty(), 500));
    }

    /** An edge that is not there as a whole is none. */
    @Test
    void isNothingWhereTheEdgeIsLong() throws Exception {
        isNotTold(page(Optional.of(Bytes.wrap(new byte[5_000])), Optional.empty(), 100_000));
    }

    private void isNotTold(Page page) throws Exception {
        CompletableFuture<Answer> answer = ask();
        byte[] frame = frame(page);
        int part = Math.min(2_000, frame.length - 10);
        write(frame, 0, part);
        assertThatThrownBy(() -> answer.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        write(frame, part, frame.length);
        assertThat(answer.get(SOON_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(page);
        assertThat(edge).isNotDone();
    }

    /** As a server does, which has got the request when this returns. */
    private CompletableFuture<Answer> ask() throws IOException {
        Address to = new Address("127.0.0.1", listening.getLocalPort());
        CompletableFuture<Answer> answer =
                network.send(to, (Request.Scan) Echo.request(Bytes.utf8("row")), MILLIS, edge::complete);
        if (accepted == null) {
            Socket socket = listening.accept();
            socket.setSoTimeout(SOON_MILLIS);
            socket.setTcpNoDelay(true);
            accepted = socket;
            read();
            Output out = Frame.begin(Frame.Kind.WELCOME, 0, 0);
            new Welcome(Hello.VERSION, Codec.controlFingerprint(), RpcLimits.MAX_FRAME_BYTES).encode(out);
            byte[] welcome = ByteBufUtil.getBytes(Frame.finish(out));
            write(welcome, 0, welcome.length);
        }
        asked = read();
        return answer;
    }

    /** The id of a frame. */
    private long read() throws IOException {
        DataInputStream in =
                new DataInputStream(Objects.requireNonNull(accepted).getInputStream());
        byte[] bytes = in.readNBytes(Frame.HEADER_BYTES);
        Frame.Header header = Frame.Header.decode(bytes, RpcLimits.MAX_FRAME_BYTES);
        assertThat(in.readNBytes(header.length())).hasSize(header.length());
        return header.id();
    }

    private void write(byte[] bytes, int from, int to) throws IOException {
        OutputStream out = Objects.requireNonNull(accepted).getOutputStream();
        out.write(Arrays.copyOfRange(bytes, from, to));
        out.flush();
    }

    private byte[] frame(Page page) {
        Output out = Frame.begin(Frame.Kind.ANSWER, asked, 0);
        Codec.encode(page, out);
        return ByteBufUtil.getBytes(Frame.finish(out));
    }

    private static Page page(Optional<Bytes> next, Optional<RowResume> resume, int valueBytes) {
        Cell cell = new Cell(Bytes.utf8("row"), ColumnKey.of("f", "q"), 1, Bytes.wrap(new byte[valueBytes]));
        return new Page(List.of(cell), next, resume, 1, 1);
    }
}
