package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.ServerInfo;
import bt.client.Table;
import bt.client.TableSizes;
import bt.client.TabletInfo;
import java.util.List;

/** What becomes of the memtables, files and tablets of a table; each is seen to have happened before it returns. One thread. */
final class Upkeep {
    private final Bigtable bigtable;
    private final Admin admin;

    Upkeep(Bigtable bigtable) {
        this.bigtable = bigtable;
        this.admin = bigtable.admin();
    }

    void flush(String table) throws BigtableException {
        admin.flush(table);
        assertNothingIsInMemory(table);
    }

    /** A major compaction of all that there is. */
    void compact(String table) throws BigtableException {
        admin.compactTable(table);
        assertNothingIsInMemory(table);
        int tablets = tablets(table).size();
        assertThat(admin.sizes(table).groups())
                .as(table)
                .allMatch(group -> group.files().count() <= tablets);
    }

    private void assertNothingIsInMemory(String table) throws BigtableException {
        TableSizes sizes = admin.sizes(table);
        assertThat(sizes.families()).as(table).allMatch(family -> family.memoryCells() == 0);
    }

    void split(String table, Bytes row) throws BigtableException {
        admin.splitTablet(table, row);
        assertThat(tablets(table))
                .as("%s split behind %s", table, row)
                .anyMatch(tablet ->
                        tablet.range().end().filter(row.successor()::equals).isPresent());
    }

    /** One tablet of all. */
    void merge(String table) throws BigtableException {
        List<TabletInfo> all = tablets(table);
        admin.mergeTablets(
                table, Bytes.hex("00"), all.get(all.size() - 1).range().start());
        assertThat(tablets(table)).as(table).hasSize(1);
    }

    /** To a server that does not serve it. */
    void move(String table, TabletInfo tablet) throws BigtableException {
        String from = tablet.server().orElseThrow();
        String to = servers().stream()
                .filter(server -> !server.equals(from))
                .findFirst()
                .orElseThrow();
        admin.moveTablet(table, rowOf(tablet), to);
        assertThat(tablets(table))
                .as("%s moved from %s to %s", tablet.range(), from, to)
                .anyMatch(moved -> moved.range().equals(tablet.range())
                        && moved.server().orElse("").equals(to));
    }

    /** When all of them are served: one may just be on its way. */
    List<TabletInfo> tablets(String table) throws BigtableException {
        Table open = bigtable.table(table);
        List<TabletInfo> all = open.tablets();
        while (all.stream().anyMatch(tablet -> tablet.server().isEmpty())) {
            for (TabletInfo tablet : all) {
                // Waits for the tablet, for a minute at most.
                boolean unused = open.exists(rowOf(tablet));
            }
            all = open.tablets();
        }
        return all;
    }

    private static Bytes rowOf(TabletInfo tablet) {
        Bytes first = tablet.range().start();
        return first.isEmpty() ? Bytes.hex("00") : first;
    }

    List<String> servers() throws BigtableException {
        return admin.clusterStatus().servers().stream().map(ServerInfo::address).toList();
    }
}
