package bt.protocol;

import bt.base.Bytes;
import bt.base.Output;
import bt.model.Cell;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What stands for the cells of a row that were read: SHA-256 over family, qualifier, timestamp, value and label of each, in
 * their order, strings behind their lengths as on the wire. Two reads have the same digest just when they showed the same.
 * One thread.
 */
public final class RowDigest {
    static final int BYTES = 32;

    private final MessageDigest sha;

    public RowDigest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public RowDigest add(Iterable<Cell> cells) {
        for (Cell cell : cells) {
            Output out = new Output();
            out.text(cell.column().family()).bytes(cell.column().qualifier());
            out.u64(cell.timestamp()).bytes(cell.value()).text(cell.label());
            sha.update(out.array(), 0, out.size());
        }
        return this;
    }

    /** Of all that was added; nothing may be added any more. */
    public Bytes digest() {
        return Bytes.wrap(sha.digest());
    }
}
