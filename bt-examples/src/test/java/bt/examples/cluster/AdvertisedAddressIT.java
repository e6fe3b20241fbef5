package bt.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.ThreadScheduler;
import bt.client.Table;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.main.MiniBigtable;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Servers that are reached by another address than the one they listen on. */
class AdvertisedAddressIT {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");

    @Test
    void serversAreKnownByWhatTheyAdvertiseAndReachEachOtherByIt() throws Exception {
        List<String> listening = Ports.free(2);
        try (ThreadScheduler scheduler = new ThreadScheduler();
                TcpProxy master = TcpProxy.to(listening.get(0), 1, scheduler);
                TcpProxy server = TcpProxy.to(listening.get(1), 1, scheduler);
                MiniBigtable cluster = MiniBigtable.start(Map.of(
                        "master.port", port(listening.get(0)),
                        "master.advertised.address", master.address(),
                        "tabletserver.port", port(listening.get(1)),
                        "tabletserver.advertised.address", server.address()));
                LockService locks = Connect.lockService(cluster.at())) {
            assertThat(new LockTable(locks).master()).contains(master.address());
            assertThat(cluster.bigtable().admin().clusterStatus().servers())
                    .singleElement()
                    .satisfies(line -> assertThat(line.address()).isEqualTo(server.address()));
            TableSchema draft =
                    TableSchema.draft("table").family("f", GcRule.KEEP_ALL).build();
            cluster.bigtable().admin().createTable(draft, List.of());
            Table table = cluster.bigtable().table("table");
            table.apply(
                    RowMutation.of("row").set(COLUMN, 1, Bytes.utf8("value")).build());
            assertThat(table.tablets())
                    .allSatisfy(tablet -> assertThat(tablet.server()).isEqualTo(Optional.of(server.address())));
            assertThat(table.read(Bytes.utf8("row"), Filter.ALL).flatMap(row -> row.value(COLUMN)))
                    .contains(Bytes.utf8("value"));
        }
    }

    private static String port(String address) {
        return address.substring(address.indexOf(':') + 1);
    }
}
