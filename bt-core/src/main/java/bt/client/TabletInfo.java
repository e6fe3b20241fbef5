package bt.client;

import bt.model.RowRange;
import bt.protocol.Address;
import java.util.Optional;

/**
 * A tablet as its METADATA row tells it: its rows, the address of the server that serves it (none while it moves), and the
 * bytes of its files on disk, compressed; what is still in memory is counted by {@link Table#weighedTablets} alone. For
 * whoever cuts work by tablets. Section 5.1 of the paper has such rows.
 */
public record TabletInfo(RowRange range, Optional<String> server, long bytes) {
    /** Where work on the tablet is local. */
    public Optional<String> host() {
        return server.map(address -> Address.parse(address).host());
    }

    TabletInfo withMemory(long memoryBytes) {
        return new TabletInfo(range, server, bytes + memoryBytes);
    }
}
