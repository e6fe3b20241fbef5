package bt.metadata;

import bt.base.Bytes;
import java.util.Optional;

/**
 * A row of METADATA as a check finds it: empty with the reason where it is damaged. When it was last changed is what the
 * server's clock said, in microseconds; 0 where nothing tells.
 */
public record SeenRow(Bytes key, Optional<MetadataRow> row, String damage, long changedMicros) {
    static SeenRow of(MetadataRow row, long changedMicros) {
        return new SeenRow(MetadataKeys.of(row.id()), Optional.of(row), "", changedMicros);
    }
}
