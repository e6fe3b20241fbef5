package bt.thrift.convert;

import bt.base.Bytes;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.RowRange;
import java.nio.ByteBuffer;

/** Where the next page of a scan begins, included: a byte 1, then the row. Callers see bytes without a meaning. */
public record ResumeToken(Bytes row) {
    private static final byte VERSION = 1;

    public ByteBuffer encode() {
        Output out = new Output();
        out.u8(VERSION);
        out.raw(row);
        return Binaries.of(out.toBytes());
    }

    static ResumeToken decode(Bytes token) throws RejectedException {
        if (token.isEmpty() || token.at(0) != VERSION) {
            throw new RejectedException(
                    "resumeToken of " + token.length() + " bytes is none of ours: begin the scan without one");
        }
        return new ResumeToken(token.slice(1, token.length()));
    }

    /** What of the scan's range is left. */
    RowRange rest(RowRange range) throws RejectedException {
        RowRange rest = range.intersect(RowRange.from(row));
        if (!rest.start().equals(row) || rest.isEmpty()) {
            throw new RejectedException("resumeToken lies outside of this scan: give it to the scan that it came from");
        }
        return rest;
    }
}
