package bt.client;

import bt.model.RowRange;
import java.util.Optional;

/**
 * A tablet as its METADATA row tells it: its rows, the host that serves it (none while it moves), and the bytes of its
 * files on disk, compressed; what is still in memory is not counted. For whoever cuts work by tablets.
 */
public record TabletInfo(RowRange range, Optional<String> host, long bytes) {}
