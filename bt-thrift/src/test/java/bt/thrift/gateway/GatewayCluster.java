package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.client.Bigtable;
import bt.main.MiniBigtable;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Outcome;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A whole cluster, a gateway to it, and a Thrift client of that. */
record GatewayCluster(MiniBigtable cluster, ThriftGateway gateway, Dialled client) implements AutoCloseable {
    static GatewayCluster start() throws Exception {
        return start(Map.of());
    }

    /** With some keys of {@code conf/bt.properties}. */
    static GatewayCluster start(Map<String, String> configuration) throws Exception {
        MiniBigtable cluster = MiniBigtable.start(configuration);
        ThriftGateway gateway =
                ThriftGateway.start(cluster.bigtable(), new GatewayConfig("127.0.0.1", 0, Protocol.COMPACT));
        return new GatewayCluster(cluster, gateway, Dialled.to(gateway.port()));
    }

    /** Through the gateway. */
    Gateway.Client calls() {
        return client.calls();
    }

    /** Beside the gateway. */
    Bigtable bigtable() {
        return cluster.bigtable();
    }

    /** In one line, of which this is a part. */
    static void rejected(ThrowingCallable call, String part) {
        BigtableError error = catchThrowableOfType(BigtableError.class, call);
        assertThat(error.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(error.getOutcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(error.getMessage()).contains(part).doesNotContain("\n");
    }

    @Override
    public void close() {
        client.close();
        gateway.close();
        cluster.close();
    }
}
