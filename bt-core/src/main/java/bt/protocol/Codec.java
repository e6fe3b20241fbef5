package bt.protocol;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.MistakeException;
import bt.base.Output;
import bt.base.RejectedException;
import java.util.Optional;

/**
 * Messages as bytes: the number of a message's kind, then its fields. Any bytes at all decode or are refused with one of
 * the five kinds; no count or length is believed before it is checked. Byte strings of what was decoded are views of the
 * input's array: whoever keeps one copies it. See docs/formats/wire.md.
 */
public final class Codec {
    /** Once: each call of {@code values()} is an array of its own. */
    private static final Request.Kind[] REQUESTS = Request.Kind.values();

    private static final Answer.Kind[] ANSWERS = Answer.Kind.values();

    private Codec() {}

    public static void encode(Request request, Output out) {
        out.u8(request.kind().number());
        switch (request.kind()) {
            case MUTATE -> MutateCodec.encode((Request.Mutate) request, out);
            case SCAN -> ScanCodec.encode((Request.Scan) request, out);
            case CONTROL -> ControlCodec.encode(((Request.Control) request).message(), out);
        }
    }

    /** CORRUPTION: not a message. REJECTED: a message that asks for what cannot be. */
    public static Request decodeRequest(Input in) throws BigtableException {
        Request request = decodeRequest(in, Room.ENDLESS);
        if (request instanceof Request.Scan scan) {
            Regexes.compile(scan.filter());
        } else if (request instanceof Request.Mutate mutate) {
            for (Write write : mutate.writes()) {
                Regexes.compile(write);
            }
        }
        return request;
    }

    /**
     * OVERLOADED as well: there is no room for what it is made into, which may be a hundred times its bytes and more. The regular
     * expressions of its filters are read and not compiled, which takes a hundred times as long: {@link Regexes} does that, where it
     * keeps nobody else waiting.
     */
    public static Request decodeRequest(Input in, Room room) throws BigtableException {
        Request.Kind kind = Fields.kind(in, "request kind", REQUESTS, Request.Kind::number);
        Growth growth = new Growth(room);
        try {
            Request request =
                    switch (kind) {
                        case MUTATE -> MutateCodec.decode(in, growth);
                        case SCAN -> ScanCodec.decode(in, growth);
                        case CONTROL -> new Request.Control(ControlCodec.decodeRequest(in, room));
                    };
            in.end("the request");
            growth.end();
            return request;
        } catch (IllegalArgumentException refused) {
            throw RejectedException.of("request", refused, "correct what is sent");
        }
    }

    public static void encode(Answer answer, Output out) {
        out.u8(answer.kind().number());
        switch (answer.kind()) {
            case MUTATED -> MutatedCodec.encode((Answer.Mutated) answer, out);
            case PAGE -> PageCodec.encode((Answer.Page) answer, out);
            case CONTROL -> ControlCodec.encode(((Answer.Control) answer).message(), out);
        }
    }

    /** CORRUPTION: not an answer. REJECTED: a control message of another version. */
    public static Answer decodeAnswer(Input in) throws BigtableException {
        Answer.Kind kind = Fields.kind(in, "answer kind", ANSWERS, Answer.Kind::number);
        try {
            Answer answer =
                    switch (kind) {
                        case MUTATED -> MutatedCodec.decode(in);
                        case PAGE -> PageCodec.decode(in);
                        case CONTROL -> new Answer.Control(ControlCodec.decodeAnswer(in));
                    };
            in.end("the answer");
            return answer;
        } catch (IllegalArgumentException refused) {
            throw in.corrupt(MistakeException.fact(refused));
        }
    }

    /**
     * The edge of a page that ends with a row, from as much of an answer's beginning as has come; empty where it is no such page, or
     * too little of it.
     */
    public static Optional<Bytes> edge(Input begun) {
        try {
            boolean isPage = begun.u8("answer kind") == Answer.Kind.PAGE.number();
            return isPage ? PageCodec.edge(begun) : Optional.empty();
        } catch (CorruptionException tooLittle) {
            return Optional.empty();
        }
    }

    public static void encode(BigtableException failure, Output out) {
        FailureCodec.encode(failure, out);
    }

    public static BigtableException decodeFailure(Input in) throws CorruptionException {
        BigtableException failure = FailureCodec.decode(in);
        in.end("the failure");
        return failure;
    }

    /** Of the schemas of all control messages, for the handshake: the same number means the same records. */
    public static long controlFingerprint() {
        return ControlCodec.FINGERPRINT;
    }
}
