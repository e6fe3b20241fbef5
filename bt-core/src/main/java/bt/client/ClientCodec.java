package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.RowMutation;
import bt.model.Selection;
import bt.protocol.Codec;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import java.util.List;
import java.util.Optional;

/**
 * Scans and mutations as bytes, for an application that hands them to other processes of its own, as a MapReduce job does
 * to its tasks. They are the bytes of the wire: of one version of bt, not for keeping.
 */
public final class ClientCodec {
    private static final long NO_TABLE = 0;
    /** In the place of a request's kind: what limits it comes first. */
    private static final byte LIMITED = 0;

    private static final WriteId UNNUMBERED = new WriteId(0, 0, 0);

    private ClientCodec() {}

    /** A scan with its filter and limits; {@link #decodeScan} reads it back. */
    public static Bytes encode(Scan scan) {
        Output out = new Output();
        ReadLimits limits = scan.limits();
        if (!limits.equals(ReadLimits.NONE)) {
            out.u8(LIMITED).varint(limits.rows()).varint(limits.cells()).varint(limits.bytes());
        }
        Codec.encode(new Request.Scan(NO_TABLE, scan.walk(), scan.filter(), scan.page(), Optional.empty()), out);
        return out.toBytes();
    }

    /**
     * Reads what the scan did, all that it said of cells being one filter. CORRUPTION or REJECTED when {@code source},
     * which messages name, does not hold a scan.
     */
    public static Scan decodeScan(String source, Bytes encoded) throws BigtableException {
        Input in = Input.of(source, encoded);
        ReadLimits limits = !encoded.isEmpty() && encoded.at(0) == LIMITED ? limits(source, in) : ReadLimits.NONE;
        if (Codec.decodeRequest(in) instanceof Request.Scan scan) {
            return new Scan(scan.walk(), Selection.ALL.passing(scan.filter()), scan.bounds(), limits);
        }
        throw new RejectedException(source + ": not a scan");
    }

    private static ReadLimits limits(String source, Input in) throws CorruptionException {
        int unused = in.u8("that it is limited");
        long rows = in.varint("rows at most");
        long cells = in.varint("cells at most");
        long bytes = in.varint("bytes at most");
        if (rows < 1 || cells < 1 || bytes < 1) {
            throw new CorruptionException(
                    source + ": a scan of " + rows + " rows, " + cells + " cells, " + bytes + " bytes at most");
        }
        return new ReadLimits(rows, cells, bytes);
    }

    /** A mutation; {@link #decodeMutation} reads it back. */
    public static Bytes encode(RowMutation mutation) {
        return encode(new Request.Mutate(NO_TABLE, List.of(new Write(mutation, UNNUMBERED, Optional.empty()))));
    }

    /** CORRUPTION or REJECTED when {@code source}, which messages name, does not hold one mutation. */
    public static RowMutation decodeMutation(String source, Bytes encoded) throws BigtableException {
        if (Codec.decodeRequest(Input.of(source, encoded)) instanceof Request.Mutate mutate
                && mutate.writes().size() == 1) {
            return mutate.writes().get(0).mutation();
        }
        throw new RejectedException(source + ": not a mutation");
    }

    private static Bytes encode(Request request) {
        Output out = new Output();
        Codec.encode(request, out);
        return out.toBytes();
    }
}
