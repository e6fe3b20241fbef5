package bt.thrift.convert;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.client.ReadAmount;
import bt.client.Scan;
import bt.model.RowWalk;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the next page of a scan begins: a byte 1, then the edge of what is left of its rows; or, for a scan with limits, a
 * byte 2, what they have been charged, then the edge. Callers see bytes without a meaning.
 */
public record ResumeToken(Bytes edge, ReadAmount taken) {
    private static final byte UNLIMITED = 1;
    private static final byte LIMITED = 2;

    /** Empty at the beginning of a scan. */
    public static Optional<ResumeToken> of(@Nullable ByteBuffer given) throws RejectedException {
        Bytes token = given == null ? Bytes.EMPTY : Binaries.of(given);
        return token.isEmpty() ? Optional.empty() : Optional.of(decode(token));
    }

    public ByteBuffer encode() {
        Output out = new Output();
        if (taken.equals(ReadAmount.NONE)) {
            out.u8(UNLIMITED);
        } else {
            out.u8(LIMITED).varint(taken.rows()).varint(taken.cells()).varint(taken.bytes());
        }
        return Binaries.of(out.raw(edge).toBytes());
    }

    private static ResumeToken decode(Bytes token) throws RejectedException {
        Input in = Input.of("resumeToken", token);
        try {
            int version = in.u8("version");
            if (version == UNLIMITED || version == LIMITED) {
                ReadAmount taken = version == UNLIMITED
                        ? ReadAmount.NONE
                        : new ReadAmount(in.varint("rows"), in.varint("cells"), in.varint("bytes"));
                return new ResumeToken(token.slice(in.position(), token.length()), taken);
            }
        } catch (CorruptionException | IllegalArgumentException foreign) {
            throw foreign(token);
        }
        throw foreign(token);
    }

    private static RejectedException foreign(Bytes token) {
        return new RejectedException(
                "resumeToken of " + token.length() + " bytes is none of ours", "begin the scan without one");
    }

    /** What of the scan is left, under what is left of its limits. */
    public Scan rest(Scan scan) throws RejectedException {
        RowWalk rest = scan.walk().from(edge);
        if (rest.isEmpty() || !rest.edge().equals(edge) || scan.limits().areReachedBy(taken)) {
            throw new RejectedException(
                    "resumeToken lies outside of this scan", "give it to the scan that it came from");
        }
        return new Scan(rest, scan.selection(), scan.page(), scan.limits().behind(taken));
    }
}
