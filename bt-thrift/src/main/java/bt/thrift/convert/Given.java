package bt.thrift.convert;

import static java.util.Objects.requireNonNull;

import bt.base.RejectedException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What came from a caller, who may leave out any field and break any rule of the data model: REJECTED, never a bug. */
final class Given {
    private Given() {}

    /** A field that must be there. */
    static <T> T present(@Nullable T value, String field) throws RejectedException {
        set(value != null, field);
        return requireNonNull(value);
    }

    /** A number that must be there: left out it reads as 0 and would mean something else than its caller did. */
    static void set(boolean isSet, String field) throws RejectedException {
        if (!isSet) {
            throw new RejectedException(field + " is missing", "set it");
        }
    }

    /** A value of the data model, whose constructor is the judge. */
    static <T> T valid(Supplier<T> made) throws RejectedException {
        try {
            return made.get();
        } catch (IllegalArgumentException wrong) {
            throw RejectedException.of(wrong, "correct it");
        }
    }
}
