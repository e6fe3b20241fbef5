package bt.examples.hostile;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Codec;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.record.SizesRequest;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * At the port of a server: a handshake, then requests that are nearly right behind checksums that are, which reach what decodes
 * them; in the end, or instead of it all, a frame that is not even one.
 */
final class RpcAttack implements Attack {
    private static final int FRAMES = 200;
    private static final int STRANGER_ONE_OF = 50;
    private static final int TIMEOUT_MILLIS = 60_000;

    /** Of no table. */
    private static final long NOWHERE = 1 << 20;

    private final List<Address> servers;
    private final SplittableRandom random;
    private final Mutations mutations;
    private final HostileTally tally;

    RpcAttack(List<Address> servers, long tableId, SplittableRandom random, HostileTally tally) {
        this.servers = List.copyOf(servers);
        this.random = random;
        this.mutations = new Mutations(right(tableId), random);
        this.tally = tally;
    }

    /** Reads of a table that is there, writes to one that is not, and what every server answers. */
    private static List<byte[]> right(long tableId) {
        ColumnKey column = ColumnKey.of("f", "column");
        RowMutation mutation = RowMutation.of("row")
                .set(column, Bytes.utf8("value"))
                .deleteColumn(column)
                .deleteRow()
                .build();
        Filter filter = new Filter.Chain(
                List.of(new Filter.Families(List.of("f")), new Filter.Columns(List.of(column)), new Filter.Latest(2)));
        List<Request> requests = List.of(
                new Request.Mutate(NOWHERE, List.of(new Write(mutation, new WriteId(1, 2, 1), Optional.empty()))),
                new Request.Scan(tableId, RowRange.ALL, filter, PageBounds.DEFAULT, Optional.empty()),
                new Request.Scan(
                        tableId, RowRange.row(Bytes.utf8("r")), Filter.ALL, PageBounds.DEFAULT, Optional.empty()),
                new Request.Control(new SizesRequest(tableId)));
        return requests.stream().map(RpcAttack::encoded).toList();
    }

    private static byte[] encoded(Request request) {
        Output out = new Output();
        Codec.encode(request, out);
        return out.toArray();
    }

    /** That a stranger who does as it should is welcomed and answered. */
    static void probe(Address at) throws IOException {
        try (Socket socket = connected(at)) {
            byte[] body = encoded(new Request.Control(new SizesRequest(NOWHERE)));
            Output all = new Output().raw(WireFrames.hello("probe"));
            send(all.raw(WireFrames.frame(WireFrames.REQUEST, 1, body)), 1, socket, buffered(socket));
        }
    }

    private static Socket connected(Address to) throws IOException {
        Socket socket = new Socket(to.host(), to.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        // Ports of thousands of closed connections would not be free again for a minute.
        socket.setSoLinger(true, 0);
        return socket;
    }

    @Override
    public int run() throws IOException {
        Address to = servers.get(random.nextInt(servers.size()));
        try (Socket socket = connected(to)) {
            DataInputStream in = buffered(socket);
            int frames = 0;
            if (random.nextInt(STRANGER_ONE_OF) != 0) {
                frames = FRAMES;
                send(requests(), FRAMES, socket, in);
            }
            awaitClosed(socket, in);
            tally.closed();
            return frames + 1;
        }
    }

    private Output requests() {
        Output all = new Output(1 << 15);
        all.raw(WireFrames.hello("hostile"));
        for (int i = 1; i <= FRAMES; i++) {
            all.raw(WireFrames.frame(WireFrames.REQUEST, random.nextLong(), harmless()));
        }
        return all;
    }

    /**
     * Sends a handshake and so many whole frames, and reads the welcome and as many answers. A connection that ends before, in order or
     * by a reset, which is how a server closes one from which it has not read all, was closed for no reason.
     */
    private static void send(Output all, int frames, Socket socket, DataInputStream in) throws IOException {
        int read = 0;
        try {
            socket.getOutputStream().write(all.array(), 0, all.size());
            while (read <= frames) {
                int kind = WireFrames.read(in).orElseThrow(() -> new EOFException("the end of the stream"));
                if ((kind == WireFrames.WELCOME) != (read == 0)) {
                    throw new IOException("a frame of kind " + kind + " came after " + read + " others");
                }
                read++;
            }
        } catch (SocketException | EOFException closed) {
            throw new IOException(
                    "a connection was closed after " + Math.max(0, read - 1) + " of " + frames
                            + " answers to whole frames: " + closed.getMessage(),
                    closed);
        }
    }

    private static DataInputStream buffered(Socket socket) throws IOException {
        return new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** After a frame that is not one it must be, and may be as soon as that has come, with whatever is not read yet. */
    private void awaitClosed(Socket socket, DataInputStream in) throws IOException {
        try {
            socket.getOutputStream().write(broken());
            socket.shutdownOutput();
            while (WireFrames.read(in).isPresent()) {
                // What was on its way before the end.
            }
        } catch (SocketException reset) {
            // Closed too.
        }
    }

    /** Whoever may ask for anything may do harm with a right request: those are not sent. */
    private byte[] harmless() {
        while (true) {
            byte[] body = mutations.next();
            try {
                Request request = Codec.decodeRequest(new Input("hostile", 0, body, 0, body.length));
                if (isHarmless(request)) {
                    return body;
                }
            } catch (BigtableException refused) {
                return body;
            }
        }
    }

    private static boolean isHarmless(Request request) {
        return switch (request.kind()) {
            case SCAN -> true;
            case MUTATE -> {
                long table = ((Request.Mutate) request).tableId();
                yield table >= NOWHERE / 2 || table < TableSchema.METADATA_ID;
            }
            case CONTROL -> ((Request.Control) request).message() instanceof SizesRequest;
        };
    }

    /** Its checksum is wrong, or its header, or all of it. */
    private byte[] broken() {
        byte[] frame = WireFrames.frame(WireFrames.REQUEST, random.nextLong(), mutations.next());
        switch (random.nextInt(3)) {
            case 0 -> frame[20 + random.nextInt(4)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> frame[random.nextInt(WireFrames.HEADER_BYTES)] ^= (byte) (1 + random.nextInt(255));
            default -> random.nextBytes(frame);
        }
        return frame;
    }
}
