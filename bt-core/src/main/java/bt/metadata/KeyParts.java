package bt.metadata;

import bt.base.Bytes;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import java.util.ArrayList;
import java.util.List;

/** Many keys of METADATA, cut into what one request may ask for: so many ranges at most, and so many bytes of them. */
final class KeyParts {
    private static final int RANGES = 1_000;
    private static final int BYTES = 256 << 10;

    private KeyParts() {}

    static List<RowWalk> of(RowSet keys) {
        List<RowWalk> parts = new ArrayList<>();
        List<RowRange> part = new ArrayList<>();
        int bytes = 0;
        for (RowRange range : keys.ranges()) {
            if (part.size() == RANGES || bytes >= BYTES) {
                parts.add(upwards(part));
                part.clear();
                bytes = 0;
            }
            part.add(range);
            bytes += range.start().length() + range.end().map(Bytes::length).orElse(0);
        }
        if (!part.isEmpty()) {
            parts.add(upwards(part));
        }
        return parts;
    }

    private static RowWalk upwards(List<RowRange> ranges) {
        return new RowWalk(new RowSet(ranges), false);
    }
}
