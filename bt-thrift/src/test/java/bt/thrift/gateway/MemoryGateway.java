package bt.thrift.gateway;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.testing.MemoryCluster;
import java.util.List;

/** A gateway on a socket, over servers in memory with one table of three tablets. */
record MemoryGateway(MemoryCluster cluster, Bigtable bigtable, ThriftGateway gateway) implements AutoCloseable {
    static final String TABLE = "webtable";

    /** Patience of a test: what takes minutes in production is over in a second. */
    static final GatewayLimits IMPATIENT =
            new GatewayLimits(1_500, 64, 10_000, 1_000_000, 4_000_000, 2_000, 60_000, 1_000, 10_000);

    static MemoryGateway start(Protocol protocol, GatewayLimits limits) throws Exception {
        MemoryCluster cluster = new MemoryCluster();
        TableSchema draft = TableSchema.draft(TABLE)
                .family("contents", new GcRule.MaxVersions(3))
                .family("anchor", GcRule.KEEP_ALL)
                .build();
        cluster.table(4, draft, List.of(Bytes.hex("40"), Bytes.hex("c0")), 3);
        Bigtable bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        return new MemoryGateway(
                cluster, bigtable, ThriftGateway.start(bigtable, new GatewayConfig("127.0.0.1", 0, protocol, limits)));
    }

    int port() {
        return gateway.port();
    }

    @Override
    public void close() {
        gateway.close();
        bigtable.close();
        cluster.close();
    }
}
