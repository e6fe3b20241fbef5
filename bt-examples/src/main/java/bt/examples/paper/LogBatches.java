package bt.examples.paper;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.client.ServerInfo;
import bt.connect.Connect;
import bt.protocol.Address;
import bt.protocol.Calls;
import bt.record.LogReport;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.rpc.RpcNetwork;
import java.util.List;
import java.util.OptionalDouble;

/** Asks the tablet servers of a cluster how many writes they have put into their logs at once. One thread. */
final class LogBatches implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = 15_000;

    private final Bigtable bigtable;
    private final ThreadScheduler scheduler;
    private final RpcNetwork network;

    LogBatches(String cluster, ThreadScheduler scheduler) throws BigtableException {
        this.bigtable = Connect.to(cluster);
        this.scheduler = scheduler;
        this.network = RpcNetwork.open("bench", scheduler.clock(), 1);
    }

    /** Of all servers since they started. */
    record Count(long batches, long writes) {
        /** Writes of a batch, on the average; empty where there was no batch. */
        OptionalDouble rowsSince(Count before) {
            return batches > before.batches
                    ? OptionalDouble.of((double) (writes - before.writes) / (batches - before.batches))
                    : OptionalDouble.empty();
        }
    }

    Count now() throws BigtableException, InterruptedException {
        long batches = 0;
        long writes = 0;
        for (ServerInfo server : bigtable.admin().clusterStatus().servers()) {
            if (server.isAlive()) {
                LogReport log = ask(Address.parse(server.address()));
                batches += log.getBatches();
                writes += log.getWrites();
            }
        }
        return new Count(batches, writes);
    }

    private LogReport ask(Address server) throws BigtableException, InterruptedException {
        return new Calls(network, scheduler, TIMEOUT_MILLIS)
                .control(
                        server,
                        new ServerStatusRequest(0L, null, -1L, -1L, List.of(), List.of(), List.of(), -2L),
                        ServerStatus.class,
                        Deadline.after(scheduler.clock(), TIMEOUT_MILLIS))
                .getLog();
    }

    @Override
    public void close() {
        network.close();
        bigtable.close();
    }
}
