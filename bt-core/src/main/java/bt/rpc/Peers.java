package bt.rpc;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Who is connected, by address, and what each has in flight; of whoever has no connection nothing is known. Any thread. */
final class Peers {
    private final RpcLimits.Peer limits;
    private final Budget server;
    private final Map<String, Connected> connected = new ConcurrentHashMap<>();

    Peers(RpcLimits.Peer limits, Budget server) {
        this.limits = limits;
        this.server = server;
    }

    /** A connection of the peer begins, in its share; empty when it has too many. */
    Optional<Budget> enter(String address) {
        Connected now = connected.compute(address, this::more);
        if (now != null && now.connections <= limits.connections()) {
            return Optional.of(now.budget);
        }
        leave(address);
        return Optional.empty();
    }

    /** One of its connections is closed. */
    void leave(String address) {
        connected.computeIfPresent(
                address, (same, was) -> was.connections == 1 ? null : new Connected(was.connections - 1, was.budget));
    }

    private Connected more(String address, @Nullable Connected was) {
        return was == null
                ? new Connected(1, new Budget(address, limits.requests(), limits.bytes(), server))
                : new Connected(was.connections + 1, was.budget);
    }

    private record Connected(int connections, Budget budget) {}
}
