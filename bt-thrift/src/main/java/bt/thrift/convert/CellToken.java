package bt.thrift.convert;

import bt.base.Bytes;
import bt.base.Output;
import bt.base.RejectedException;
import bt.client.CellPosition;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the next page of a scan by cells begins: a byte 3, then the position. Callers see bytes without a meaning. */
public final class CellToken {
    private static final byte VERSION = 3;

    private CellToken() {}

    /** Empty at the beginning of a scan. */
    public static Optional<CellPosition> of(@Nullable ByteBuffer given) throws RejectedException {
        Bytes token = given == null ? Bytes.EMPTY : Binaries.of(given);
        if (token.isEmpty()) {
            return Optional.empty();
        }
        if (token.at(0) != VERSION) {
            throw new RejectedException(
                    "resumeToken of " + token.length() + " bytes is none of a scan by cells",
                    "begin the scan without one");
        }
        return Optional.of(CellPosition.decode(token.slice(1, token.length())));
    }

    public static ByteBuffer encode(CellPosition position) {
        return Binaries.of(new Output().u8(VERSION).raw(position.encode()).toBytes());
    }
}
