package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.main.MiniBigtable;
import bt.model.GcRule;
import bt.model.Right;
import bt.model.TableSchema;
import bt.rpc.RpcNetwork;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.SetCell;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Behind a gateway everybody has the rights of the gateway's user, and is told when these are not enough. */
class AccessIT {
    @Test
    void theGatewayMayDoWhatItsUserMay() throws Exception {
        try (MiniBigtable cluster = MiniBigtable.start();
                Bigtable ofGateway = as("gateway", cluster.at());
                ThriftGateway gateway =
                        ThriftGateway.start(ofGateway, new GatewayConfig("127.0.0.1", 0, Protocol.COMPACT));
                Dialled client = Dialled.to(gateway.port())) {
            Bigtable owner = cluster.bigtable();
            owner.admin()
                    .createTable(
                            TableSchema.draft("web")
                                    .family("f", GcRule.KEEP_ALL)
                                    .build(),
                            List.of());
            client.calls().mutate("web", write());
            owner.admin().alterAccess(list -> list.grant("ada", Right.OF_CLUSTERS));
            owner.admin().alterTable("web", now -> now.change()
                    .grant("gateway", Set.of(Right.READ), Optional.empty())
                    .build());
            BigtableError refused = catchThrowableOfType(
                    BigtableError.class, () -> client.calls().mutate("web", write()));
            assertThat(refused.getKind()).isEqualTo(ErrorKind.REJECTED);
            assertThat(refused.getMessage()).contains("family web:f: user gateway has not the right write");
            owner.admin().alterTable("web", now -> now.change()
                    .grant("gateway", Set.of(Right.WRITE), Optional.of("f"))
                    .build());
            client.calls().mutate("web", write());
        }
    }

    private static RowMutation write() {
        Column column = new Column("f", Bytes.utf8("q").toBuffer());
        Change change = Change.setCell(new SetCell(column, Bytes.utf8("v").toBuffer()));
        return new RowMutation(Bytes.utf8("r").toBuffer(), List.of(change));
    }

    private static Bigtable as(String user, String at) throws BigtableException {
        ThreadScheduler scheduler = new ThreadScheduler();
        LockService locks = Connect.lockService(at);
        RpcNetwork network = RpcNetwork.open(user, Clock.system(), 1);
        return Bigtable.over(network, locks, scheduler).onClose(() -> {
            network.close();
            locks.close();
            scheduler.close();
        });
    }
}
