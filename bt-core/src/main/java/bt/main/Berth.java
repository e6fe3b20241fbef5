package bt.main;

import bt.base.RejectedException;
import bt.protocol.Address;
import java.net.InetSocketAddress;
import java.util.Optional;

/** The port that a server takes, 0 for any free one, and how others reach it, where that is not where it listens. */
record Berth(int port, Optional<Address> advertised) {
    /**
     * By which others reach what listens there, on this node if it has a name. REJECTED where that would be every machine's own
     * wildcard.
     */
    Address reachedAt(Address listening, Optional<String> node) throws RejectedException {
        if (advertised.isPresent()) {
            return advertised.get();
        }
        if (!isWildcard(listening.host())) {
            return listening;
        }
        return new Address(
                node.orElseThrow(() -> new RejectedException(
                        "host is " + listening.host() + ", by which no other machine reaches this one",
                        "write an address of this machine, or tell others one"
                                + " by master.advertised.address and tabletserver.advertised.address")),
                listening.port());
    }

    private static boolean isWildcard(String host) {
        InetSocketAddress address = new InetSocketAddress(host, 0);
        return !address.isUnresolved() && address.getAddress().isAnyLocalAddress();
    }
}
