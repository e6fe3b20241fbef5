package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.RowMutation;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.model.Selection;
import bt.protocol.Codec;
import bt.protocol.Request;
import bt.protocol.RowSetCodec;
import bt.protocol.Write;
import bt.protocol.WriteId;
import java.util.List;
import java.util.Optional;

/**
 * Scans, sets of rows and mutations as bytes, for an application that hands them to other processes of its own, as a MapReduce job does
 * to its tasks. They are the bytes of the wire: of one version of bt, not for keeping. The paper has its wrappers for
 * MapReduce (section 3), and nothing of this.
 */
public final class ClientCodec {
    private static final String ENCODE = "give the bytes that encode makes of one";

    private static final long NO_TABLE = 0;

    /** In the place of a request's kind: a scan follows, which is no request. */
    private static final int SCAN = 0;

    private static final WriteId UNNUMBERED = new WriteId(0, 0, 0);

    private ClientCodec() {}

    /**
     * A scan with its rows, however many, its filter and limits; {@link #decodeScan} reads it back. The limits come first,
     * then the rows, then all else as a request for every row: a request has fewer rows than a scan may have.
     */
    public static Bytes encode(Scan scan) {
        Output out = new Output();
        ReadLimits limits = scan.limits();
        out.u8(SCAN).varint(limits.rows()).varint(limits.cells()).varint(limits.bytes());
        RowSetCodec.encode(scan.walk().rows(), out);
        RowWalk all = new RowWalk(RowSet.ALL, scan.walk().reversed());
        Codec.encode(new Request.Scan(NO_TABLE, all, scan.filter(), scan.page(), Optional.empty()), out);
        return out.toBytes();
    }

    /**
     * Reads what the scan did, all that it said of cells being one filter. CORRUPTION or REJECTED when {@code source},
     * which messages name, does not hold a scan.
     */
    public static Scan decodeScan(String source, Bytes encoded) throws BigtableException {
        Input in = Input.of(source, encoded);
        if (in.u8("kind") != SCAN) {
            throw new RejectedException(source + ": not a scan", ENCODE);
        }
        ReadLimits limits = limits(source, in);
        RowSet rows = RowSetCodec.decode(in, Integer.MAX_VALUE);
        if (Codec.decodeRequest(in) instanceof Request.Scan scan) {
            RowWalk walk = new RowWalk(rows, scan.walk().reversed());
            return new Scan(walk, Selection.ALL.passing(scan.filter()), scan.bounds(), limits);
        }
        throw new RejectedException(source + ": not a scan", ENCODE);
    }

    private static ReadLimits limits(String source, Input in) throws CorruptionException {
        long rows = in.varint("rows at most");
        long cells = in.varint("cells at most");
        long bytes = in.varint("bytes at most");
        if (rows < 1 || cells < 1 || bytes < 1) {
            throw new CorruptionException(
                    source + ": a scan of " + rows + " rows, " + cells + " cells, " + bytes + " bytes at most");
        }
        return new ReadLimits(rows, cells, bytes);
    }

    /** Rows and ranges, however many: of a scan's, those that one process reads. {@link #decodeRows} reads them back. */
    public static Bytes encode(RowSet rows) {
        Output out = new Output();
        RowSetCodec.encode(rows, out);
        return out.toBytes();
    }

    /** CORRUPTION when {@code source}, which messages name, does not hold a set of rows. */
    public static RowSet decodeRows(String source, Bytes encoded) throws BigtableException {
        Input in = Input.of(source, encoded);
        RowSet rows = RowSetCodec.decode(in, Integer.MAX_VALUE);
        in.end("the rows");
        return rows;
    }

    /** A mutation; {@link #decodeMutation} reads it back. */
    public static Bytes encode(RowMutation mutation) {
        return encode(new Request.Mutate(NO_TABLE, List.of(new Write(mutation, UNNUMBERED, Optional.empty()))));
    }

    /** CORRUPTION or REJECTED when {@code source}, which messages name, does not hold one mutation. */
    public static RowMutation decodeMutation(String source, Bytes encoded) throws BigtableException {
        boolean isScan = !encoded.isEmpty() && encoded.at(0) == SCAN;
        if (!isScan
                && Codec.decodeRequest(Input.of(source, encoded)) instanceof Request.Mutate mutate
                && mutate.writes().size() == 1) {
            return mutate.writes().get(0).mutation();
        }
        throw new RejectedException(source + ": not a mutation", ENCODE);
    }

    private static Bytes encode(Request request) {
        Output out = new Output();
        Codec.encode(request, out);
        return out.toBytes();
    }
}
