package bt.testing;

import bt.base.Bytes;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What one column of one row may hold, by what its only writer was told: the last acknowledged value, or any later one
 * whose outcome is unknown. Empty stands for deleted.
 */
public final class RowHistory {
    private Optional<Bytes> acknowledged = Optional.empty();
    private final Set<Optional<Bytes>> unknown = new HashSet<>();

    public void acknowledged(Optional<Bytes> value) {
        acknowledged = value;
        unknown.clear();
    }

    public void unknown(Optional<Bytes> value) {
        unknown.add(value);
    }

    public boolean allows(Optional<Bytes> read) {
        return read.equals(acknowledged) || unknown.contains(read);
    }

    /** What was read is what it is from now on: an unknown outcome has become known. */
    public void read(Optional<Bytes> value) {
        acknowledged(value);
    }

    @Override
    public String toString() {
        return "acknowledged " + acknowledged + (unknown.isEmpty() ? "" : ", unknown " + unknown);
    }
}
