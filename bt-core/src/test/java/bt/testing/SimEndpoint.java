package bt.testing;

import bt.base.Scheduler.WorkerPool;
import bt.protocol.Address;
import bt.protocol.Service;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A process that listens, and the calls that it has not answered. */
final class SimEndpoint {
    private static final int EVENT_LOOPS = 2;
    private static final int MAX_WAITING = 10_000;

    private final SimProcess process;
    private final Address address;
    private final Service service;
    private final WorkerPool eventLoops;
    private final Set<SimCall> open = new LinkedHashSet<>();

    SimEndpoint(SimProcess process, Address address, Service service) {
        this.process = process;
        this.address = address;
        this.service = service;
        this.eventLoops = process.pool("rpc", EVENT_LOOPS, MAX_WAITING);
    }

    SimProcess process() {
        return process;
    }

    Address address() {
        return address;
    }

    Service service() {
        return service;
    }

    void run(SimCall call, Runnable handle) {
        open.add(call);
        eventLoops.execute(handle);
    }

    void answered(SimCall call) {
        open.remove(call);
    }

    void close() {
        List<SimCall> orphans = List.copyOf(open);
        open.clear();
        orphans.forEach(SimCall::reset);
        eventLoops.close();
    }
}
