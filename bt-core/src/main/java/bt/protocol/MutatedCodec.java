package bt.protocol;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link Answer.Mutated}: count, and of each write 0 and its answer, or 1 and its failure. */
final class MutatedCodec {
    /** Absence of a failure and the answer; a failure is no shorter than five. */
    private static final int LEAST_RESULT_BYTES = 5;

    /**
     * Of all messages together, which leaves each of the most writes that a request may have some words: the answer to a write
     * must never be longer than a frame.
     */
    private static final int MESSAGES_CHARS = 4_000_000;

    private MutatedCodec() {}

    static void encode(Answer.Mutated answer, Output out) {
        int chars = Math.min(
                FailureCodec.MESSAGE_CHARS,
                MESSAGES_CHARS / Math.max(1, answer.results().size()));
        out.varint(answer.results().size());
        for (WriteResult result : answer.results()) {
            out.u8(result.failure().isPresent() ? 1 : 0);
            if (result.failure().isPresent()) {
                FailureCodec.encode(result.failure().get(), chars, out);
            } else {
                out.u64(result.answer());
            }
        }
    }

    static Answer.Mutated decode(Input in) throws CorruptionException {
        int count = Fields.count(in, "results", LEAST_RESULT_BYTES);
        List<WriteResult> results = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            results.add(
                    Fields.present(in, "write failure")
                            ? new WriteResult(0, Optional.of(FailureCodec.decode(in)))
                            : WriteResult.applied(in.u64("answer")));
        }
        return new Answer.Mutated(results);
    }
}
