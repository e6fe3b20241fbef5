package bt.main;

import bt.protocol.Address;
import java.util.Optional;

/** The port that a server takes, 0 for any free one, and how others reach it, where that is not where it listens. */
record Berth(int port, Optional<Address> advertised) {}
