package bt.examples.paper;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.client.ServerInfo;
import bt.connect.Connect;
import bt.protocol.Address;
import bt.protocol.Calls;
import bt.protocol.WholeStatus;
import bt.record.ServerStatus;
import bt.rpc.RpcNetwork;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Asks the tablet servers of a cluster what they have done and what they hold. One thread. */
final class ServerLooks implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = 15_000;

    private final Bigtable bigtable;
    private final ThreadScheduler scheduler;
    private final RpcNetwork network;

    ServerLooks(String cluster, ThreadScheduler scheduler) throws BigtableException {
        this.bigtable = Connect.to(cluster);
        this.scheduler = scheduler;
        this.network = RpcNetwork.open("bench", scheduler.clock(), 1);
    }

    ServerLook now() throws BigtableException, InterruptedException {
        Map<String, ServerStatus> byAddress = new TreeMap<>();
        for (ServerInfo server : bigtable.admin().clusterStatus().servers()) {
            if (server.isAlive()) {
                byAddress.put(server.address(), ask(Address.parse(server.address())));
            }
        }
        return new ServerLook(byAddress);
    }

    private ServerStatus ask(Address server) throws BigtableException, InterruptedException {
        Calls calls = new Calls(network, scheduler, TIMEOUT_MILLIS);
        Deadline deadline = Deadline.after(scheduler.clock(), TIMEOUT_MILLIS);
        WholeStatus told = new WholeStatus();
        while (true) {
            Optional<ServerStatus> whole =
                    told.hear(calls.control(server, told.question(), ServerStatus.class, deadline));
            if (whole.isPresent()) {
                return whole.get();
            }
        }
    }

    @Override
    public void close() {
        network.close();
        bigtable.close();
    }
}
