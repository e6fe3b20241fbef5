package bt.metadata;

import bt.protocol.WriteId;
import java.util.Optional;

/** A METADATA row that is to be, what must be there before, the event that says why, the number of the write, and the epoch of the master whose wish it is. */
record RowChange(MetadataRow wanted, Optional<Long> expectedGeneration, RowEvent event, WriteId id, long masterEpoch) {}
