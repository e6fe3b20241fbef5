package bt.testing;

import static bt.base.Check.checkState;

import bt.base.Bytes;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.Service;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A network between simulated processes. Messages go through the real codec, so that no process ever holds another's
 * objects; they take time, overtake each other, are lost, late or doubled, and a way may be cut in one direction. A request
 * that is late may be carried out after its sender has given up and tried again.
 */
public final class SimNetwork {
    /** From one process to another. */
    private record Way(String from, String to) {}

    /** The user of masters and tablet servers. */
    public static final String OWNER = "bt";

    private final SimScheduler scheduler;
    private final RandomGenerator random;
    private final Map<Address, SimEndpoint> endpoints = new HashMap<>();
    private final Set<Way> cut = new HashSet<>();
    private final Map<String, Long> heldUntilNanos = new HashMap<>();
    private SimFaults faults = SimFaults.NONE;

    public SimNetwork(SimScheduler scheduler) {
        this.scheduler = scheduler;
        this.random = scheduler.random("network");
    }

    /** What a process sends with, until it crashes. */
    public Network of(String process) {
        SimProcess sender = scheduler.living(process);
        return new Network() {
            @Override
            public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
                return new SimCall(SimNetwork.this, sender, to, timeoutMillis, edge -> {}).send(request);
            }

            @Override
            public CompletableFuture<Answer> send(
                    Address to, Request.Scan request, long timeoutMillis, Consumer<Bytes> edge) {
                return new SimCall(SimNetwork.this, sender, to, timeoutMillis, edge).send(request);
            }

            @Override
            public String user() {
                return userOf(process);
            }
        };
    }

    /** The cluster's own processes run as one user; everybody else is a user of the process's name. */
    static String userOf(String process) {
        return process.startsWith("server-") || process.startsWith("master") ? OWNER : process;
    }

    /** A process listens, until it crashes or closes what it gets. */
    public AutoCloseable register(String process, Address address, Service service) {
        checkState(!endpoints.containsKey(address), "somebody listens on %s already", address);
        SimEndpoint endpoint = new SimEndpoint(scheduler.living(process), address, service);
        endpoints.put(address, endpoint);
        scheduler.whenCrashed(process, () -> close(endpoint));
        return () -> close(endpoint);
    }

    private void close(SimEndpoint endpoint) {
        endpoints.remove(endpoint.address(), endpoint);
        endpoint.close();
    }

    public void setFaults(SimFaults faults) {
        this.faults = faults;
    }

    /** Nothing that one process sends, request or answer, reaches the other. The other direction stays as it is. */
    public void cut(String from, String to) {
        scheduler.note("network cut from " + from + " to " + to);
        cut.add(new Way(from, to));
    }

    public void mend(String from, String to) {
        scheduler.note("network mended from " + from + " to " + to);
        cut.remove(new Way(from, to));
    }

    public void mendAll() {
        scheduler.note("network mended");
        cut.clear();
    }

    /** What a process sends from now on leaves in a while, whatever becomes of the process: it lies in its machine. */
    public void hold(String from, long millis) {
        scheduler.note("network holds what " + from + " sends for " + millis + " ms");
        heldUntilNanos.put(from, scheduler.elapsed().plusMillis(millis).toNanos());
    }

    boolean isCut(String from, String to) {
        return cut.contains(new Way(from, to));
    }

    @Nullable SimEndpoint endpoint(Address address) {
        return endpoints.get(address);
    }

    SimScheduler scheduler() {
        return scheduler;
    }

    SimFaults faults() {
        return faults;
    }

    RandomGenerator random() {
        return random;
    }

    /** After the time that a message of this process takes. */
    void later(SimProcess from, Runnable arrives) {
        long heldNanos = heldUntilNanos.getOrDefault(from.name(), 0L)
                - scheduler.elapsed().toNanos();
        long micros = random.nextLong(faults.minMicros(), faults.maxMicros());
        scheduler
                .living("network")
                .atOnceAfterMicros(micros + Math.max(0, TimeUnit.NANOSECONDS.toMicros(heldNanos)), arrives);
    }

    /** After the time that a message takes. */
    void later(Runnable arrives) {
        long micros = random.nextLong(faults.minMicros(), faults.maxMicros());
        scheduler.living("network").atOnceAfterMicros(micros, arrives);
    }

    /** After seconds, perhaps. */
    void muchLater(Runnable arrives) {
        long micros = faults.maxMicros() + random.nextLong(SimFaults.OLD_MICROS);
        scheduler.living("network").atOnceAfterMicros(micros, arrives);
    }
}
