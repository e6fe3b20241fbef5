package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.connect.Connect;
import bt.main.MiniBigtable;
import bt.main.junit.MiniBigtableExtension;
import bt.model.Row;
import bt.testing.PublicTypes;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an application sees of the packages that are made for it is of these packages too: nothing of the wire or of servers. */
class PublicTypesTest {
    private static final String SERVERS = "of the keys of cells as they lie in files, which servers read and write";

    /** Members that show more than that, each by its whole name, and why. */
    private static final Map<String, String> DOORS = Map.ofEntries(
            Map.entry(
                    "bt.client.Bigtable.over(",
                    "for who brings network, lock service and threads: bt.connect, and clusters in memory"),
            Map.entry("bt.client.ClusterInfo.read(", "for bt.connect"),
            Map.entry("bt.connect.Connect.lockService(", "for bt doctor"),
            Map.entry("bt.connect.LocalSecret.read(", "for processes of the cluster"),
            Map.entry("bt.model.CellKey.columnPrefixLength(", SERVERS),
            Map.entry("bt.model.CellKey.familyOf(", SERVERS),
            Map.entry("bt.model.CellKey.isDeletion(", SERVERS),
            Map.entry("bt.model.CellKey.kindOf(", SERVERS),
            Map.entry("bt.model.CellKey.qualifierOf(", SERVERS),
            Map.entry("bt.model.CellKey.rowOf(", SERVERS),
            Map.entry("bt.model.CellKey.rowPrefix(", SERVERS),
            Map.entry("bt.model.CellKey.rowPrefixLength(", SERVERS),
            Map.entry("bt.model.CellKey.sequenceOf(", SERVERS),
            Map.entry("bt.model.CellKey.timestampOf(", SERVERS),
            Map.entry("bt.model.CellKey.withKind(", SERVERS),
            Map.entry("bt.model.CellKey.withSequence(", SERVERS),
            Map.entry("bt.model.KeyParts.find(", SERVERS),
            Map.entry("bt.model.Regex$Matching.matches(", SERVERS),
            Map.entry("bt.client.Scan(", "how much of a scan is asked for at a time"),
            Map.entry("bt.client.Scan.page(", "how much of a scan is asked for at a time"),
            Map.entry("bt.client.Scan.pages(", "how much of a scan is asked for at a time"),
            Map.entry("bt.client.CellPosition(", "where in a row a position is: applications keep it encoded"),
            Map.entry("bt.client.CellPosition.resume(", "where in a row a position is: applications keep it encoded"));

    @Test
    void showNoTypeThatIsNot() throws Exception {
        PublicTypes types = PublicTypes.ofPackages(Admin.class, Connect.class, Row.class, MiniBigtableExtension.class)
                .with(MiniBigtable.class);
        assertThat(types.members()).hasSizeGreaterThan(600);
        Map<String, Set<String>> shown = types.internal();
        assertThat(DOORS.keySet())
                .allSatisfy(door -> assertThat(shown.keySet()).anyMatch(member -> isDoor(member, door)));
        shown.keySet().removeIf(member -> DOORS.keySet().stream().anyMatch(door -> isDoor(member, door)));
        assertThat(shown).isEmpty();
    }

    private static boolean isDoor(String member, String door) {
        return member.contains(" " + door);
    }
}
