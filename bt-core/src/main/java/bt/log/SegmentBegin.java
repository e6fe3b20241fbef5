package bt.log;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * The first batch of a segment, written when the log goes over to it: u64 number of the oldest segment that was still
 * needed; u8 claims; of each u64 segment, u64 length, u8 whether it was closed. A segment is made ahead, so its header
 * cannot say how long the one before became. Claims are made anew by every segment until one of them is synced.
 */
record SegmentBegin(long oldestNeeded, List<Claim> claims) {
    static final int MAX_CLAIMS = 255;
    static final int MAX_BYTES = Long.BYTES + 1 + MAX_CLAIMS * Claim.ENCODED_BYTES;

    SegmentBegin {
        claims = List.copyOf(claims);
    }

    /**
     * How long an earlier segment is: with its footer if it was closed, else at least so, for that much of it was known
     * to be synced when it was left.
     */
    record Claim(long segment, long length, boolean closed) {
        static final int ENCODED_BYTES = 2 * Long.BYTES + 1;

        /** For messages. */
        String fact() {
            return closed ? "it was closed with " + length + " bytes" : length + " bytes of it were on disk";
        }
    }

    void encode(Output out) {
        out.u64(oldestNeeded).u8(claims.size());
        for (Claim claim : claims) {
            out.u64(claim.segment).u64(claim.length).u8(claim.closed ? 1 : 0);
        }
    }

    static SegmentBegin decode(Input in) throws CorruptionException {
        long oldestNeeded = in.u64("oldest needed segment");
        int count = in.u8("number of claims");
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long segment = in.u64("claimed segment");
            long length = in.u64("claimed length");
            int closed = in.u8("whether it was closed");
            if (segment < 1 || length < 0 || closed > 1) {
                throw in.corrupt("a claim of " + length + " bytes for segment " + segment + ", closed " + closed);
            }
            claims.add(new Claim(segment, length, closed == 1));
        }
        in.end("the beginning of the segment");
        return new SegmentBegin(oldestNeeded, claims);
    }
}
