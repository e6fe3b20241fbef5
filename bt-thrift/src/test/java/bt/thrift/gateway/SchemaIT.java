package bt.thrift.gateway;

import static bt.thrift.gateway.GatewayCluster.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import bt.thrift.gen.Bloom;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.Durability;
import bt.thrift.gen.Family;
import bt.thrift.gen.GcRule;
import bt.thrift.gen.Grant;
import bt.thrift.gen.LocalityGroup;
import bt.thrift.gen.Quotas;
import bt.thrift.gen.Right;
import bt.thrift.gen.RightsList;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.SetCell;
import bt.thrift.gen.Table;
import bt.thrift.gen.TableChange;
import bt.thrift.gen.Timestamps;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
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
    void groupsAndQuotasAreGivenChangedAndTaken() throws Exception {
        Family page = new Family("page").setLocalityGroup("pages");
        LocalityGroup pages = new LocalityGroup("pages")
                .setBlockBytes(128 << 10)
                .setCodec("zstd")
                .setInMemory(true)
                .setBloom(new Bloom().setBitsPerKey(12).setByColumn(true));
        Quotas quotas = new Quotas().setTableBytes(1 << 30).setUserBytes(Map.of("ada", 1L << 20));
        cluster.calls()
                .createTable(
                        new Table("tuned", List.of(page, new Family("f")))
                                .setGroups(List.of(pages))
                                .setQuotas(quotas),
                        List.of());

        assertThat(cluster.bigtable().table("tuned").schema().group("pages"))
                .isEqualTo(new bt.model.LocalityGroup("pages", 128 << 10, "zstd", true, new bt.model.Bloom(12, true)));
        assertThat(table("tuned").getFamilies()).containsExactly(page, new Family("f"));
        assertThat(table("tuned").getGroups()).hasSize(2).contains(pages);
        assertThat(table("tuned").getQuotas()).isEqualTo(quotas);

        // What names no group stays in its own; what names one goes there.
        alter(
                "tuned",
                new TableChange()
                        .setGroups(List.of(new LocalityGroup("hot").setInMemory(true), new LocalityGroup("pages")))
                        .setChangeFamilies(List.of(
                                new Family("page").setGarbage(GcRule.maxVersions(2)),
                                new Family("f").setLocalityGroup("hot")))
                        .setAddFamilies(List.of(new Family("g").setLocalityGroup("pages")))
                        .setQuotas(new Quotas().setEachUserBytes(7)));
        assertThat(table("tuned").getFamilies())
                .containsExactly(
                        page.deepCopy().setGarbage(GcRule.maxVersions(2)),
                        new Family("f").setLocalityGroup("hot"),
                        new Family("g").setLocalityGroup("pages"));
        assertThat(cluster.bigtable().table("tuned").schema().group("pages"))
                .isEqualTo(new bt.model.LocalityGroup("pages", 64 << 10, "lz4", false, bt.model.Bloom.ROW));
        assertThat(cluster.bigtable().table("tuned").schema().group("hot").inMemory())
                .isTrue();
        assertThat(table("tuned").getQuotas()).isEqualTo(new Quotas().setEachUserBytes(7));

        rejected(() -> alter("tuned", new TableChange().setDropGroups(List.of("hot"))), "locality group hot");
        alter(
                "tuned",
                new TableChange()
                        .setChangeFamilies(List.of(new Family("f").setLocalityGroup("default")))
                        .setDropGroups(List.of("hot"))
                        .setQuotas(new Quotas()));
        assertThat(table("tuned").getGroups())
                .extracting(LocalityGroup::getName)
                .containsExactlyInAnyOrder("default", "pages");
        assertThat(table("tuned").isSetQuotas()).isFalse();
        rejected(
                () -> alter("tuned", new TableChange().setGroups(List.of(new LocalityGroup("odd").setCodec("snappy")))),
                "codec \"snappy\" of locality group odd is none of");
    }

    /** A quota that is given through the gateway bounds what is written through it. */
    @Test
    void aQuotaHolds() throws Exception {
        cluster.calls()
                .createTable(
                        new Table("bounded", List.of(new Family("f"))).setQuotas(new Quotas().setTableBytes(0)),
                        List.of());
        RowMutation write = new RowMutation(
                ByteBuffer.wrap(new byte[] {1}),
                List.of(Change.setCell(
                        new SetCell(new Column("f", ByteBuffer.allocate(0)), ByteBuffer.allocate(1 << 10)))));

        rejected(() -> cluster.calls().mutate("bounded", write), "the quota of 0 bytes is used up");
        alter("bounded", new TableChange().setQuotas(new Quotas().setTableBytes(1 << 30)));
        assertThat(cluster.calls().mutate("bounded", write)).isPositive();
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
        rejected(() -> cluster.calls().grant(ofFamily), "the right admin of the cluster");

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
