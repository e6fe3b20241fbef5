package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import bt.main.MiniBigtable;
import bt.model.Change.SetCell;
import bt.testing.LimitCases;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.RowMutation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/guide/limits.md says is so through the gateway too. */
class LimitsIT {
    @Test
    void throughTheGateway() throws Exception {
        try (MiniBigtable cluster = MiniBigtable.start();
                ThriftGateway gateway =
                        ThriftGateway.start(cluster.bigtable(), new GatewayConfig("127.0.0.1", 0, Protocol.COMPACT));
                Dialled client = Dialled.to(gateway.port())) {
            cluster.bigtable().admin().createTable(LimitCases.TABLE, List.of());
            LimitCases.check(LimitCases.small(), mutation -> {
                SetCell set = (SetCell) mutation.changes().get(0);
                Column column = new Column(
                        set.column().family(), set.column().qualifier().toBuffer());
                Change change = Change.setCell(
                        new bt.thrift.gen.SetCell(column, set.value().toBuffer()).setTimestamp(set.timestamp()));
                try {
                    client.calls()
                            .mutate("limits", new RowMutation(mutation.row().toBuffer(), List.of(change)));
                    return true;
                } catch (BigtableError refused) {
                    assertThat(refused.getKind()).isEqualTo(ErrorKind.REJECTED);
                    return false;
                }
            });
        }
    }
}
