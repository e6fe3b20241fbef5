package bt.thrift.gateway;

import static bt.thrift.gateway.GatewayCluster.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import bt.thrift.gen.Durability;
import bt.thrift.gen.Family;
import bt.thrift.gen.GcRule;
import bt.thrift.gen.Grant;
import bt.thrift.gen.Right;
import bt.thrift.gen.RightsList;
import bt.thrift.gen.Table;
import bt.thrift.gen.TableChange;
import bt.thrift.gen.Timestamps;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Changes of schemas and rights through the gateway, whose user owns the cluster. */
class SchemaIT {
    private static GatewayCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = GatewayCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Table table(String name) throws Exception {
        return cluster.calls().listTables().stream()
                .filter(table -> table.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsNamedChangesAndTheRestStays() throws Exception {
        Family kept = new Family("kept").setGarbage(GcRule.maxVersions(3));
        Family tuned = new Family("tuned").setGarbage(GcRule.maxVersions(3)).setTimestamps(Timestamps.SERVER);
        cluster.calls().createTable(new Table("web", List.of(kept, tuned, new Family("gone"))), List.of());

        Family later = new Family("tuned").setGarbage(GcRule.maxAgeMicros(7)).setPurgeMicros(3_600_000_000L);
        Family more = new Family("more").setTimestamps(Timestamps.CLIENT);
        cluster.calls()
                .alterTable(
                        "web",
                        new TableChange()
                                .setAddFamilies(List.of(more))
                                .setChangeFamilies(List.of(later))
                                .setDropFamilies(List.of("gone"))
                                .setDurability(Durability.FLUSH));

        assertThat(table("web").getFamilies()).containsExactly(kept, later, more);
        assertThat(table("web").getDurability()).isEqualTo(Durability.FLUSH);
        cluster.calls().alterTable("web", new TableChange());
        assertThat(table("web").getFamilies()).containsExactly(kept, later, more);
    }

    @Test
    void aSchemaThatCannotBeIsRejectedAndChangesNothing() throws Exception {
        cluster.calls().createTable(new Table("whole", List.of(new Family("f"))), List.of());
        Table before = table("whole");
        rejected(() -> alter("whole", new TableChange().setAddFamilies(List.of(new Family("f")))), "family f twice");
        rejected(() -> alter("whole", new TableChange().setChangeFamilies(List.of(new Family("g")))), "no family g");
        rejected(() -> alter("whole", new TableChange().setDropFamilies(List.of("g"))), "no family g");
        rejected(() -> alter("whole", new TableChange().setAddFamilies(List.of(new Family("\u0001")))), "");
        rejected(() -> alter("nowhere", new TableChange()), "does not exist");
        assertThat(table("whole")).isEqualTo(before);
    }

    private static void alter(String table, TableChange change) throws Exception {
        cluster.calls().alterTable(table, change);
    }

    @Test
    void rightsAreGivenTakenAndListed() throws Exception {
        cluster.calls().createTable(new Table("lists", List.of(new Family("f"))), List.of());
        assertThat(cluster.calls().listRights("lists")).isEqualTo(new RightsList(true, List.of()));
        assertThat(cluster.calls().listRights("")).isEqualTo(new RightsList(true, List.of()));
        Grant ofCluster = new Grant("ada", List.of(Right.ADMIN, Right.CREATE));
        Grant ofFamily = new Grant("bob", List.of(Right.READ)).setTable("lists").setFamily("f");
        rejected(() -> cluster.calls().grant(ofFamily), "begin with bt grant");

        cluster.calls().grant(ofCluster);
        cluster.calls().grant(ofFamily);
        cluster.calls().grant(new Grant("*", List.of(Right.READ)).setTable("lists"));
        assertThat(cluster.calls().listRights("")).isEqualTo(new RightsList(false, List.of(ofCluster)));
        assertThat(cluster.calls().listRights("lists"))
                .isEqualTo(new RightsList(
                        false, List.of(new Grant("*", List.of(Right.READ)).setTable("lists"), ofFamily)));

        cluster.calls().revoke(ofFamily);
        cluster.calls().revoke(new Grant("ada", List.of(Right.CREATE)));
        assertThat(cluster.calls().listRights("lists").getGrants()).hasSize(1);
        assertThat(cluster.calls().listRights("").getGrants()).containsExactly(new Grant("ada", List.of(Right.ADMIN)));

        rejected(() -> cluster.calls().revoke(new Grant("ada", List.of(Right.ADMIN))), "");
        rejected(
                () -> cluster.calls().grant(new Grant("bob", List.of(Right.CREATE)).setTable("lists")),
                "no rights of a table");
        rejected(
                () -> cluster.calls()
                        .grant(new Grant("bob", List.of(Right.READ))
                                .setTable("lists")
                                .setFamily("g")),
                "no family g");
        rejected(() -> cluster.calls().grant(new Grant("bob", List.of(Right.READ)).setFamily("f")), "name its table");
        rejected(() -> cluster.calls().grant(new Grant("bob", List.of())), "is empty");
    }
}
