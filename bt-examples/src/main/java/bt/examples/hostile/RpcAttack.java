package bt.examples.hostile;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Codec;
import bt.protocol.Condition;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.record.CheckTable;
import bt.record.FamilyRecord;
import bt.record.RuleKind;
import bt.record.RuleRecord;
import bt.record.SizesRequest;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * At the port of a server: a handshake, then requests that are nearly right behind checksums that are, which reach what decodes
 * them; in the end, or instead of it all, a frame that is not even one.
 */
final class RpcAttack implements Attack {
    private static final int FRAMES = 200;
    private static final int STRANGER_ONE_OF = 50;
    private static final int LEAVER_ONE_OF = 10;
    private static final int TIMEOUT_MILLIS = 60_000;

    /** No number from here on is that of a kind that a client sends. */
    private static final int FOREIGN_KIND = 4;

    /** Of the frames that could be edited so many are sent as they are. */
    private static final int UNEDITED_ONE_OF = 20;

    private static final int FLOOD_ROWS = 40_000;
    private static final int FLOOD_ROW_BYTES = 1_000;

    private static final int SWOLLEN_FAMILIES = 1_000_000;

    private static final int UNFOLDED_WRITES = 2_000;
    private static final int UNFOLDED_EXPRESSIONS = 10;

    /** Of no table. */
    private static final long NOWHERE = 1 << 20;

    private final Target target;
    private final SplittableRandom random;
    private final Mutations mutations;
    private final List<byte[]> unedited;
    private final HostileTally tally;
    private final int closeMillis;

    /** In so many milliseconds a server must have closed a connection that there is a reason to close. */
    RpcAttack(Target target, SplittableRandom random, HostileTally tally, int closeMillis) {
        this.target = target;
        this.random = random;
        this.mutations = new Mutations(right(target), random);
        this.unedited =
                target.inside().always().stream().map(RpcAttack::encoded).toList();
        this.tally = tally;
        this.closeMillis = closeMillis;
    }

    /**
     * Where frames go.
     *
     * @param servers the first is a tablet server
     * @param tableId of a table that it has
     * @param inside what goes on inside a row that it has
     */
    record Target(List<Address> servers, long tableId, LongRow.Asked inside) {
        Target {
            servers = List.copyOf(servers);
        }

        private boolean has(Address server) {
            return server.equals(servers.get(0));
        }
    }

    /** Reads of tables that are there, writes to one that is not, and what every server answers. */
    private static List<byte[]> right(Target target) {
        long tableId = target.tableId();
        ColumnKey column = ColumnKey.of("f", "column");
        RowMutation mutation = RowMutation.of("row")
                .set(column, Bytes.utf8("value"))
                .deleteColumn(column)
                .deleteRow()
                .build();
        Filter filter = new Filter.Chain(
                List.of(new Filter.Families(List.of("f")), new Filter.Columns(List.of(column)), new Filter.Latest(2)));
        List<Request> requests = new ArrayList<>(List.of(
                new Request.Mutate(NOWHERE, List.of(new Write(mutation, new WriteId(1, 2, 1), Optional.empty()))),
                new Request.Scan(tableId, RowRange.ALL, filter, PageBounds.DEFAULT, Optional.empty()),
                new Request.Scan(
                        tableId, RowRange.row(Bytes.utf8("r")), Filter.ALL, PageBounds.DEFAULT, Optional.empty()),
                new Request.Control(new SizesRequest(tableId))));
        requests.addAll(target.inside().then());
        requests.addAll(target.inside().always());
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
            Message message = new Message(all.raw(WireFrames.frame(WireFrames.REQUEST, 1, body)), 1, Set.of());
            send(message, socket, buffered(socket));
        }
    }

    /**
     * That a request for many long rows of no table, each byte of which takes four characters to name, is answered: what would be made
     * of it were all of them named is more than a frame, and much more than the request.
     */
    static void flood(Address at) throws IOException {
        Bytes row = Bytes.wrap(new byte[FLOOD_ROW_BYTES]);
        RowMutation mutation = RowMutation.of(row).deleteRow().build();
        List<Write> writes = new ArrayList<>();
        for (int i = 1; i <= FLOOD_ROWS; i++) {
            writes.add(new Write(mutation, new WriteId(1, i, 1), Optional.empty()));
        }
        WireFrames.Head head = answerTo(at, "flood", new Request.Mutate(NOWHERE, writes));
        if (head.kind() != WireFrames.ANSWER) {
            throw new IOException(
                    "writes to no table came to a frame of kind " + head.kind() + ", failure " + head.firstByte());
        }
    }

    /**
     * That a table of a million families, a few bytes each and two hundred in memory, is refused before it is made: anybody may send it,
     * and two of them would be the end of a small process.
     */
    static void swell(Address at) throws IOException {
        FamilyRecord family = FamilyRecord.newBuilder()
                .setId(1)
                .setName("")
                .setLocalityGroup("")
                .setGarbage(new RuleRecord(RuleKind.KEEP_ALL, 0L, List.of()))
                .build();
        TableRecord table = TableRecord.newBuilder()
                .setId(TableSchema.DRAFT_ID)
                .setName("swollen")
                .setVersion(1)
                .setNextFamilyId(2)
                .setSync(true)
                .setPhase(TablePhase.ACTIVE)
                .setFamilies(Collections.nCopies(SWOLLEN_FAMILIES, family))
                .setGroups(List.of())
                .build();
        WireFrames.Head head = answerTo(at, "swell", new Request.Control(new CheckTable(table)));
        if (head.kind() != WireFrames.FAILURE || head.firstByte() != BigtableException.Kind.CORRUPTION.number()) {
            throw new IOException("a table of " + SWOLLEN_FAMILIES + " families came to a frame of kind " + head.kind()
                    + ", failure " + head.firstByte());
        }
    }

    /**
     * That writes to no table, each on the condition of regular expressions of its own, are refused before these are compiled: anybody may
     * send them, in half a megabyte, and they would be more than a gigabyte.
     */
    static void unfold(Address at) throws IOException {
        Output request = new Output();
        request.u8(Request.Kind.MUTATE.number()).varint(NOWHERE).varint(UNFOLDED_WRITES);
        for (int i = 0; i < UNFOLDED_WRITES; i++) {
            Output filter = new Output().u8(Filter.Kind.INTERLEAVE.number()).varint(UNFOLDED_EXPRESSIONS);
            for (int j = 0; j < UNFOLDED_EXPRESSIONS; j++) {
                filter.u8(Filter.Kind.MATCHES.number()).u8(Filter.Part.ROW.number());
                filter.text(i + "-" + j + "-a{980}");
            }
            request.bytes(Bytes.utf8("row")).u64(1).varint(i + 1).varint(1);
            request.u8(Condition.Kind.PASSES.number()).varint(filter.size()).raw(filter.toArray());
            request.u8(1).varint(0).varint(1).u8(Change.Kind.DELETE_ROW.number());
        }
        WireFrames.Head head = answerTo(at, "unfold", request.toArray());
        if (head.kind() != WireFrames.FAILURE || head.firstByte() != BigtableException.Kind.REJECTED.number()) {
            throw new IOException("conditions of " + UNFOLDED_WRITES * UNFOLDED_EXPRESSIONS
                    + " regular expressions came to a frame of kind " + head.kind() + ", failure " + head.firstByte());
        }
    }

    /** How the answer begins to a request that a program of that name sends. */
    private static WireFrames.Head answerTo(Address at, String name, Request request) throws IOException {
        return answerTo(at, name, encoded(request));
    }

    private static WireFrames.Head answerTo(Address at, String name, byte[] request) throws IOException {
        try (Socket socket = connected(at)) {
            DataInputStream in = buffered(socket);
            socket.getOutputStream().write(WireFrames.hello(name));
            if (WireFrames.read(in).isEmpty()) {
                throw new EOFException("no welcome");
            }
            socket.getOutputStream().write(WireFrames.frame(WireFrames.REQUEST, 1, request));
            return WireFrames.read(in).orElseThrow(() -> new EOFException("no answer"));
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
        Address to = target.servers().get(random.nextInt(target.servers().size()));
        try (Socket socket = connected(to)) {
            DataInputStream in = buffered(socket);
            int frames = 0;
            if (random.nextInt(STRANGER_ONE_OF) != 0) {
                frames = FRAMES;
                send(requests(target.has(to)), socket, in);
            }
            end(socket, in);
            tally.closed();
            return frames + 1;
        }
    }

    /**
     * What is sent at once.
     *
     * @param frames behind the handshake
     * @param right the numbers of those that must not be refused
     */
    private record Message(Output all, int frames, Set<Long> right) {}

    /** Whoever does not have the table may refuse what is right elsewhere. */
    private Message requests(boolean hasTheTable) {
        Output all = new Output(1 << 15);
        all.raw(WireFrames.hello("hostile"));
        Set<Long> right = new HashSet<>();
        for (int i = 1; i <= FRAMES; i++) {
            long number = random.nextLong();
            boolean isEdited = unedited.isEmpty() || random.nextInt(UNEDITED_ONE_OF) != 0;
            byte[] body = isEdited ? harmless() : unedited.get(random.nextInt(unedited.size()));
            if (!isEdited && hasTheTable) {
                right.add(number);
            }
            all.raw(WireFrames.frame(WireFrames.REQUEST, number, body));
        }
        return new Message(all, FRAMES, right);
    }

    /**
     * Sends it, and reads the welcome and an answer for each frame. A connection that ends before, in order or by a reset, which is how a
     * server closes one from which it has not read all, was closed for no reason.
     */
    private static void send(Message message, Socket socket, DataInputStream in) throws IOException {
        int read = 0;
        try {
            socket.getOutputStream()
                    .write(message.all().array(), 0, message.all().size());
            while (read <= message.frames()) {
                WireFrames.Head head = WireFrames.read(in).orElseThrow(() -> new EOFException("the end of the stream"));
                if ((head.kind() == WireFrames.WELCOME) != (read == 0)) {
                    throw new IOException("a frame of kind " + head.kind() + " came after " + read + " others");
                }
                if (message.right().contains(head.id()) && isRefusal(head)) {
                    throw new IOException("a right request that goes on inside a row was refused: kind "
                            + head.firstByte() + " of failures");
                }
                read++;
            }
        } catch (SocketException | EOFException closed) {
            throw new IOException(
                    "a connection was closed after " + Math.max(0, read - 1) + " of " + message.frames()
                            + " answers to whole frames: " + closed.getMessage(),
                    closed);
        }
    }

    /** Not for want of time or of room, which a busy server may have. */
    private static boolean isRefusal(WireFrames.Head head) {
        return head.kind() == WireFrames.FAILURE
                && head.firstByte() != BigtableException.Kind.UNAVAILABLE.number()
                && head.firstByte() != BigtableException.Kind.OVERLOADED.number();
    }

    private static DataInputStream buffered(Socket socket) throws IOException {
        return new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /**
     * After a frame that is none the server closes the connection by itself; of one that is not whole it learns when its sender leaves.
     * Neither is answered. A reset says too that it was closed, before all was read.
     */
    private void end(Socket socket, DataInputStream in) throws IOException {
        socket.setSoTimeout(closeMillis);
        try {
            if (random.nextInt(LEAVER_ONE_OF) == 0) {
                socket.getOutputStream().write(half());
                socket.shutdownOutput();
            } else {
                socket.getOutputStream().write(broken());
            }
            if (in.read() >= 0) {
                throw new IOException("what is no frame was answered");
            }
        } catch (SocketTimeoutException kept) {
            throw new IOException("a connection was kept for " + closeMillis + " ms after what is no frame", kept);
        } catch (SocketException reset) {
            // Closed.
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

    /** Wrong in its checksum, its header or all of it, and so that nothing that could follow would make it right. */
    private byte[] broken() {
        byte[] body = mutations.next();
        byte[] frame = WireFrames.frame(WireFrames.REQUEST, random.nextLong(), body);
        switch (random.nextInt(5)) {
            case 0 -> frame[WireFrames.CRC_AT + random.nextInt(Integer.BYTES)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> frame[exceptLength()] ^= (byte) (1 + random.nextInt(255));
            case 2 -> frame[WireFrames.LENGTH_AT + Integer.BYTES - 1] = (byte) (0x80 + random.nextInt(0x80));
            case 3 -> frame = WireFrames.frame(FOREIGN_KIND + random.nextInt(0x100 - FOREIGN_KIND), 1, body);
            default -> random.nextBytes(frame);
        }
        return frame;
    }

    /** Of a header; behind a length that is wrong and bearable more may come. */
    private int exceptLength() {
        int at = random.nextInt(WireFrames.HEADER_BYTES - Integer.BYTES);
        return at < WireFrames.LENGTH_AT ? at : at + Integer.BYTES;
    }

    private byte[] half() {
        byte[] frame = WireFrames.frame(WireFrames.REQUEST, random.nextLong(), mutations.next());
        return Arrays.copyOf(frame, 1 + random.nextInt(frame.length - 1));
    }
}
