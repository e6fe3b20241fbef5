package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.main.MiniBigtable;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Durability;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Family;
import bt.thrift.gen.GcRule;
import bt.thrift.gen.Grant;
import bt.thrift.gen.Right;
import bt.thrift.gen.RightsList;
import bt.thrift.gen.Table;
import bt.thrift.gen.TableChange;
import bt.thrift.gen.Timestamps;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Changes of schemas and rights through the gateway, whose user owns the cluster. */
class SchemaIT {
    private static MiniBigtable cluster;
    private static ThriftGateway gateway;
    private static Dialled client;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        gateway = ThriftGateway.start(cluster.bigtable(), new GatewayConfig("127.0.0.1", 0, Protocol.COMPACT));
        client = Dialled.to(gateway.port());
    }

    @AfterAll
    static void stop() {
        client.close();
        gateway.close();
        cluster.close();
    }

    private static Table table(String name) throws Exception {
        return client.calls().listTables().stream()
                .filter(table -> table.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void rejected(String fact, ThrowingCallable call) {
        BigtableError refused = catchThrowableOfType(BigtableError.class, call);
        assertThat(refused.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(refused.getMessage()).contains(fact);
    }

    @Test
    void whatIsNamedChangesAndTheRestStays() throws Exception {
        Family kept = new Family("kept").setGarbage(GcRule.maxVersions(3));
        Family tuned = new Family("tuned").setGarbage(GcRule.maxVersions(3)).setTimestamps(Timestamps.SERVER);
        client.calls().createTable(new Table("web", List.of(kept, tuned, new Family("gone"))), List.of());

        Family later = new Family("tuned").setGarbage(GcRule.maxAgeMicros(7)).setPurgeMicros(3_600_000_000L);
        Family more = new Family("more").setTimestamps(Timestamps.CLIENT);
        client.calls()
                .alterTable(
                        "web",
                        new TableChange()
                                .setAddFamilies(List.of(more))
                                .setChangeFamilies(List.of(later))
                                .setDropFamilies(List.of("gone"))
                                .setDurability(Durability.FLUSH));

        assertThat(table("web").getFamilies()).containsExactly(kept, later, more);
        assertThat(table("web").getDurability()).isEqualTo(Durability.FLUSH);
        client.calls().alterTable("web", new TableChange());
        assertThat(table("web").getFamilies()).containsExactly(kept, later, more);
    }

    @Test
    void aSchemaThatCannotBeIsRejectedAndChangesNothing() throws Exception {
        client.calls().createTable(new Table("whole", List.of(new Family("f"))), List.of());
        Table before = table("whole");
        rejected("family f twice", () -> alter("whole", new TableChange().setAddFamilies(List.of(new Family("f")))));
        rejected("no family g", () -> alter("whole", new TableChange().setChangeFamilies(List.of(new Family("g")))));
        rejected("no family g", () -> alter("whole", new TableChange().setDropFamilies(List.of("g"))));
        rejected("", () -> alter("whole", new TableChange().setAddFamilies(List.of(new Family("\u0001")))));
        rejected("does not exist", () -> alter("nowhere", new TableChange()));
        assertThat(table("whole")).isEqualTo(before);
    }

    private static void alter(String table, TableChange change) throws Exception {
        client.calls().alterTable(table, change);
    }

    @Test
    void rightsAreGivenTakenAndListed() throws Exception {
        client.calls().createTable(new Table("lists", List.of(new Family("f"))), List.of());
        assertThat(client.calls().listRights("lists")).isEqualTo(new RightsList(true, List.of()));
        assertThat(client.calls().listRights("")).isEqualTo(new RightsList(true, List.of()));
        Grant ofCluster = new Grant("ada", List.of(Right.ADMIN, Right.CREATE));
        Grant ofFamily = new Grant("bob", List.of(Right.READ)).setTable("lists").setFamily("f");
        rejected("begin with bt grant", () -> client.calls().grant(ofFamily));

        client.calls().grant(ofCluster);
        client.calls().grant(ofFamily);
        client.calls().grant(new Grant("*", List.of(Right.READ)).setTable("lists"));
        assertThat(client.calls().listRights("")).isEqualTo(new RightsList(false, List.of(ofCluster)));
        assertThat(client.calls().listRights("lists"))
                .isEqualTo(new RightsList(
                        false, List.of(new Grant("*", List.of(Right.READ)).setTable("lists"), ofFamily)));

        client.calls().revoke(ofFamily);
        client.calls().revoke(new Grant("ada", List.of(Right.CREATE)));
        assertThat(client.calls().listRights("lists").getGrants()).hasSize(1);
        assertThat(client.calls().listRights("").getGrants()).containsExactly(new Grant("ada", List.of(Right.ADMIN)));

        rejected("", () -> client.calls().revoke(new Grant("ada", List.of(Right.ADMIN))));
        rejected("no rights of a table", () -> client.calls()
                .grant(new Grant("bob", List.of(Right.CREATE)).setTable("lists")));
        rejected("no family g", () -> client.calls()
                .grant(new Grant("bob", List.of(Right.READ)).setTable("lists").setFamily("g")));
        rejected("name its table", () -> client.calls().grant(new Grant("bob", List.of(Right.READ)).setFamily("f")));
        rejected("is empty", () -> client.calls().grant(new Grant("bob", List.of())));
    }
}
