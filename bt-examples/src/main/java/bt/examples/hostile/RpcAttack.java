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
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
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
        List<byte[]> encoded = new ArrayList<>();
        for (Request request : requests) {
            Output out = new Output();
            Codec.encode(request, out);
            encoded.add(out.toArray());
        }
        return encoded;
    }

    @Override
    public int run() throws IOException {
        Address to = servers.get(random.nextInt(servers.size()));
        try (Socket socket = new Socket(to.host(), to.port())) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            // Ports of thousands of closed connections would not be free again for a minute.
            socket.setSoLinger(true, 0);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            int frames = random.nextInt(STRANGER_ONE_OF) == 0 ? 0 : requests(in, socket.getOutputStream());
            socket.getOutputStream().write(broken());
            socket.shutdownOutput();
            while (WireFrames.read(in).isPresent()) {
                // What was on its way before the end.
            }
            tally.closed();
            return frames + 1;
        } catch (SocketException reset) {
            tally.closed();
            return 1;
        }
    }

    /** How many were answered: all, or the server did not keep what it promises. */
    private int requests(DataInputStream in, OutputStream out) throws IOException {
        out.write(WireFrames.hello("hostile"));
        Output all = new Output(1 << 15);
        for (int i = 1; i <= FRAMES; i++) {
            all.raw(WireFrames.frame(WireFrames.REQUEST, random.nextLong(), harmless()));
        }
        out.write(all.toArray());
        // The welcome comes first.
        int answers = -1;
        while (answers < FRAMES && WireFrames.read(in).isPresent()) {
            answers++;
        }
        if (answers < FRAMES) {
            tally.anomaly("a connection was closed after " + answers + " of " + FRAMES + " answers to whole frames");
        }
        return Math.max(0, answers);
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
