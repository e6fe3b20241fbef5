package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.client.TabletInfo;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.ProcessCluster;
import bt.metadata.MetadataSchema;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Where an event happens: a cluster, and the table that is watched meanwhile. {@code fillingBytes} is the largest filling. */
record Scene(ProcessCluster cluster, TrialTable table, long fillingBytes) {
    private static final long LOOK_MILLIS = 50;

    /** The server of the root tablet. */
    JavaProcess rootServer() throws BigtableException {
        return cluster.serverAt(metadataServers().get(0));
    }

    /** A server without a tablet of METADATA. */
    JavaProcess userServer() throws BigtableException {
        List<String> metadata = metadataServers();
        for (JavaProcess server : cluster.servers()) {
            if (!metadata.contains(cluster.addressOf(server))) {
                return server;
            }
        }
        throw new UnavailableException("every server has a tablet of METADATA", Outcome.NOT_APPLIED);
    }

    /** The table's tablets on a server, which stay there whatever they are given to do. */
    List<String> restingOn(JavaProcess server) throws BigtableException, InterruptedException {
        table.rotate(cluster.addresses());
        return table.on(cluster.addressOf(server));
    }

    /** Until a process that should end by itself has; UNAVAILABLE, and killed, when it has not. */
    void awaitEnd(JavaProcess process, long millis, String although) throws IOException, InterruptedException {
        Deadline deadline = Deadline.after(cluster.scheduler().clock(), millis);
        while (process.isAlive()) {
            if (deadline.isOver()) {
                process.kill();
                throw new UnavailableException(
                        process.name() + " lives on for " + millis + " ms " + although, Outcome.UNKNOWN);
            }
            cluster.scheduler().pause(LOOK_MILLIS);
        }
    }

    private List<String> metadataServers() throws BigtableException {
        return cluster.bigtable().table(MetadataSchema.SCHEMA.name()).tablets().stream()
                .map(TabletInfo::server)
                .flatMap(Optional::stream)
                .toList();
    }
}
