package bt.tabletserver;

import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TabletLocation;

/** Who this server is: its id (address and nonce), where it is reached, and its epoch, which no other server ever has. */
record Identity(String id, Address address, long epoch) {
    TabletLocation location(Phase phase) {
        return new TabletLocation(phase, id, address.toString(), epoch);
    }

    boolean isNamedBy(TabletLocation location) {
        return location.getEpoch() == epoch && location.getServer().equals(id);
    }
}
