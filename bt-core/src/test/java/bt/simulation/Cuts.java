package bt.simulation;

import bt.testing.SimCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Cuts processes off from each other and from the lock service. Each cut is mended by what it returns. Owned by its {@link Storm}. */
final class Cuts {
    private final SimCluster cluster;
    private final RandomGenerator random;
    private final int customers;
    private final List<String> fromLocks = new ArrayList<>();

    Cuts(SimCluster cluster, RandomGenerator random, int customers) {
        this.cluster = cluster;
        this.random = random;
        this.customers = customers;
    }

    /** From another process, or from all: they hear it no more, or it hears them no more, or both. */
    Runnable some(String process, String another) {
        List<String> others = random.nextBoolean() ? new ArrayList<>(List.of(another)) : everybody();
        others.remove(process);
        int direction = random.nextInt(3);
        for (String other : others) {
            if (direction != 0) {
                cluster.network().cut(process, other);
            }
            if (direction != 1) {
                cluster.network().cut(other, process);
            }
        }
        return () -> mend(process, others);
    }

    Runnable fromLocks(String process) {
        cluster.locks().cutOff(process);
        fromLocks.add(process);
        return () -> cluster.locks().reconnect(process);
    }

    /** A server and the first client reach nobody else. */
    Runnable island(String server) {
        List<String> others = everybody();
        others.remove(server);
        others.remove(Customer.name(1));
        for (String other : others) {
            cluster.network().cut(server, other);
            cluster.network().cut(other, server);
        }
        Runnable reconnect = fromLocks(server);
        return () -> {
            mend(server, others);
            reconnect.run();
        };
    }

    void mendAll() {
        cluster.network().mendAll();
        fromLocks.forEach(cluster.locks()::reconnect);
    }

    private List<String> everybody() {
        List<String> all = new ArrayList<>(cluster.servers());
        all.addAll(cluster.masters());
        for (int number = 1; number <= customers; number++) {
            all.add(Customer.name(number));
        }
        return all;
    }

    private void mend(String process, List<String> others) {
        for (String other : others) {
            cluster.network().mend(process, other);
            cluster.network().mend(other, process);
        }
    }
}
