package bt.metadata;

import bt.model.RowRange;
import bt.model.TabletId;
import bt.protocol.Address;

/** Where a tablet was being served when somebody last looked. */
public record TabletPlace(TabletId id, RowRange range, Address address, String server) {}
