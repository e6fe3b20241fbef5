package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.client.TabletInfo;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.ProcessCluster;
import bt.metadata.MetadataSchema;
import java.util.List;
import java.util.Optional;

/** Where an event happens: a cluster, and the table that is watched meanwhile. {@code fillingBytes} is the largest filling. */
record Scene(ProcessCluster cluster, TrialTable table, long fillingBytes) {
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

    private List<String> metadataServers() throws BigtableException {
        return cluster.bigtable().table(MetadataSchema.SCHEMA.name()).tablets().stream()
                .map(TabletInfo::server)
                .flatMap(Optional::stream)
                .toList();
    }
}
