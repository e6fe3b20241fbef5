package bt.protocol;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.ColumnKey;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** The small shapes that several messages share. */
final class Fields {
    private Fields() {}

    /** One byte that is the number of a kind. */
    static <K> K kind(Input in, String field, K[] kinds, ToIntFunction<K> numberOf) throws CorruptionException {
        int number = in.u8(field);
        for (K kind : kinds) {
            if (numberOf.applyAsInt(kind) == number) {
                return kind;
            }
        }
        throw in.corrupt(field + " " + number + " is unknown");
    }

    /** How many items follow, each at least so many bytes: a count that the rest cannot hold is refused. */
    static int count(Input in, String field, int itemBytes) throws CorruptionException {
        return in.length(field, in.remaining() / itemBytes);
    }

    static boolean present(Input in, String field) throws CorruptionException {
        int present = in.u8(field);
        if (present > 1) {
            throw in.corrupt(field + ": " + present + " is neither absent (0) nor present (1)");
        }
        return present == 1;
    }

    static void optional(Optional<Bytes> bytes, Output out) {
        out.u8(bytes.isPresent() ? 1 : 0);
        bytes.ifPresent(out::bytes);
    }

    static Optional<Bytes> optional(Input in, String field) throws CorruptionException {
        return present(in, field) ? Optional.of(in.bytes(field)) : Optional.empty();
    }

    static void column(ColumnKey column, Output out) {
        out.text(column.family()).bytes(column.qualifier());
    }

    static ColumnKey column(Input in) throws CorruptionException {
        return new ColumnKey(in.text("family"), in.bytes("qualifier"));
    }

    static void resume(Optional<RowResume> resume, Output out) {
        out.u8(resume.isPresent() ? 1 : 0);
        resume.ifPresent(at -> at.encode(out));
    }

    static Optional<RowResume> resume(Input in) throws CorruptionException {
        return present(in, "resume") ? Optional.of(RowResume.decode(in)) : Optional.empty();
    }
}
