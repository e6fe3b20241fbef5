package bt.protocol;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.OverloadedException;

/** A {@link BigtableException}: number of its kind, outcome (0 not applied, 1 unknown), when to come back, message. */
final class FailureCodec {
    static final int MESSAGE_CHARS = 4000;
    static final int MESSAGE_BYTES = 4 * MESSAGE_CHARS;
    private static final int DAY_MILLIS = 24 * 60 * 60 * 1000;

    private FailureCodec() {}

    static void encode(BigtableException failure, Output out) {
        encode(failure, MESSAGE_CHARS, out);
    }

    /** With so many characters of its message. */
    static void encode(BigtableException failure, int chars, Output out) {
        long retryAfterMillis = failure instanceof OverloadedException later ? later.retryAfterMillis() : 0;
        // What there is to do says who gives up, and here that is the other side.
        String message = failure.fact();
        out.u8(failure.kind().number())
                .u8(failure.outcome() == Outcome.NOT_APPLIED ? 0 : 1)
                .varint(Math.max(0, Math.min(retryAfterMillis, DAY_MILLIS)))
                .text(message.length() > chars ? message.substring(0, chars) : message);
    }

    static BigtableException decode(Input in) throws CorruptionException {
        Kind kind = Fields.kind(in, "failure kind", Kind.values(), Kind::number);
        int outcome = in.u8("outcome");
        if (outcome > 1) {
            throw in.corrupt("outcome " + outcome + " is unknown");
        }
        int retryAfterMillis = in.length("milliseconds to come back in", DAY_MILLIS);
        String message = in.raw("failure message", in.length("failure message", MESSAGE_BYTES))
                .toUtf8();
        return BigtableException.of(
                kind, message, outcome == 0 ? Outcome.NOT_APPLIED : Outcome.UNKNOWN, retryAfterMillis);
    }
}
