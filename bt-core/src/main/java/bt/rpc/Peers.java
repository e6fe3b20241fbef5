package bt.rpc;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who is connected, by address, and what each has in flight. Of whoever has no connection nothing is known once nothing of
 * it is in flight any more: until then one that connects again goes on with what it has. Any thread.
 */
final class Peers {
    private final RpcLimits.Peer limits;
    private final Budget server;
    private final Map<String, Connected> connected = new ConcurrentHashMap<>();

    /** Those without a connection, as many as requests may be in flight at most; changed with their entry above. */
    private final Set<String> leaving = ConcurrentHashMap.newKeySet();

    Peers(RpcLimits.Peer limits, Budget server) {
        this.limits = limits;
        this.server = server;
    }

    /**
     * A connection of the peer begins, in its share of those that may be open, of which {@code open} are; empty when it has too
     * many. As of requests ({@link Budget}) it has its part of what the others leave.
     */
    Optional<Budget> enter(String address, int open, int mayBeOpen) {
        forgetIdle();
        Connected now = connected.compute(address, this::more);
        if (now != null && now.connections <= share(open - (now.connections - 1), mayBeOpen)) {
            return Optional.of(now.budget);
        }
        leave(address);
        return Optional.empty();
    }

    private int share(int ofOthers, int mayBeOpen) {
        double part = Math.min(1, (double) limits.connections() / mayBeOpen);
        int share = (int) Math.ceil(part * Math.max(0, mayBeOpen - ofOthers));
        return Math.min(limits.connections(), share);
    }

    /** One of its connections is closed. */
    void leave(String address) {
        connected.computeIfPresent(address, (same, was) -> {
            Connected left = new Connected(was.connections - 1, was.budget);
            if (left.connections == 0) {
                leaving.add(address);
            }
            return left;
        });
        forgetIdle();
    }

    /** How many are known. */
    int size() {
        return connected.size();
    }

    private void forgetIdle() {
        for (String address : leaving) {
            connected.computeIfPresent(address, (same, was) -> {
                if (was.connections == 0 && !was.budget.isEmpty()) {
                    return was;
                }
                leaving.remove(address);
                return was.connections == 0 ? null : was;
            });
        }
    }

    private Connected more(String address, @Nullable Connected was) {
        return was == null
                ? new Connected(1, new Budget(address, limits.requests(), limits.bytes(), server))
                : new Connected(was.connections + 1, was.budget);
    }

    private record Connected(int connections, Budget budget) {}
}
