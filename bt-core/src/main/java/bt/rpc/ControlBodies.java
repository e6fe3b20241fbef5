package bt.rpc;

import bt.base.Bytes;
import bt.base.Output;
import bt.protocol.Answer;
import bt.protocol.Codec;
import java.lang.ref.SoftReference;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the control answer that was encoded last. What many ask for at a time is put together once for all of them, so it
 * is encoded once too, or once on each event loop. Any thread.
 */
final class ControlBodies {
    private volatile SoftReference<@Nullable Encoded> last = new SoftReference<>(null);

    /** Of the very record: to compare two would take as long as to encode one. */
    @SuppressWarnings("ReferenceEquality")
    Bytes of(Answer.Control answer) {
        Encoded known = last.get();
        if (known != null && known.message() == answer.message()) {
            return known.body();
        }
        Output out = new Output();
        Codec.encode(answer, out);
        Encoded encoded = new Encoded(answer.message(), out.toBytes());
        last = new SoftReference<>(encoded);
        return encoded.body();
    }

    private record Encoded(SpecificRecord message, Bytes body) {}
}
