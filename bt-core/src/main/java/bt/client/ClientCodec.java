package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.RowMutation;
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
    private static final WriteId UNNUMBERED = new WriteId(0, 0, 0);

    private ClientCodec() {}

    public static Bytes encode(Scan scan) {
        return encode(new Request.Scan(NO_TABLE, scan.range(), scan.filter(), scan.page(), Optional.empty()));
    }

    /** CORRUPTION or REJECTED when {@code source}, which messages name, does not hold a scan. */
    public static Scan decodeScan(String source, Bytes encoded) throws BigtableException {
        if (Codec.decodeRequest(Input.of(source, encoded)) instanceof Request.Scan scan) {
            return new Scan(scan.range(), scan.filter(), scan.bounds());
        }
        throw new RejectedException(source + ": not a scan");
    }

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
