package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class AdoptedTabletsPropertyTest {
    private static final List<String> ENDS = List.of("c", "f", "f1", "m");

    private final CommitFixture server = CommitFixture.of(1);
    private final AdoptedTablets tablets = new AdoptedTablets();
    private final List<HostedTablet> adopted = new ArrayList<>();

    AdoptedTabletsPropertyTest() throws BigtableException {}

    /** All of a table, one behind the other. */
    private List<HostedTablet> chain(long table) throws BigtableException {
        List<HostedTablet> chain = new ArrayList<>();
        Optional<Bytes> previous = Optional.empty();
        for (String end : ENDS) {
            Optional<Bytes> endRow = Optional.of(Bytes.utf8(end));
            chain.add(server.host.host(new TabletId(table, endRow), previous, Durability.FLUSH, server.hosted.queue()));
            previous = endRow;
        }
        chain.add(server.host.host(
                new TabletId(table, Optional.empty()), previous, Durability.FLUSH, server.hosted.queue()));
        return chain;
    }

    @SeededTest(runs = 20)
    void aRowIsFoundInTheOneThatHoldsItAsLongAsThatIsAdopted(RandomGenerator random) throws BigtableException {
        List<HostedTablet> all = new ArrayList<>(chain(4));
        all.addAll(chain(6));
        for (int step = 0; step < 2_000; step++) {
            HostedTablet tablet = all.get(random.nextInt(all.size()));
            if (random.nextInt(20) > 0) {
                find(3 + random.nextInt(5), Bytes.utf8("" + (char) ('a' + random.nextInt(16)) + random.nextInt(3)));
            } else if (adopted.remove(tablet)) {
                tablets.remove(tablet);
            } else {
                adopted.add(tablet);
                tablets.add(tablet);
            }
        }
        assertThat(tablets.all()).containsExactlyInAnyOrderElementsOf(adopted);
    }

    private void find(long table, Bytes row) {
        Optional<HostedTablet> expected = adopted.stream()
                .filter(tablet -> tablet.id().tableId() == table)
                .filter(tablet -> tablet.tablet().range().contains(row))
                .findFirst();
        assertThat(tablets.find(table, row)).isEqualTo(expected);
    }

    /** Another of the same name may have come: what was taken back is not it. */
    @Test
    void onlyTheVeryTabletIsRemoved() throws BigtableException {
        HostedTablet one = chain(4).get(0);
        HostedTablet another = chain(4).get(0);
        tablets.add(one);
        assertThat(tablets.find(4, Bytes.utf8("a"))).containsSame(one);
        tablets.add(another);
        assertThat(tablets.find(4, Bytes.utf8("a"))).containsSame(another);
        tablets.remove(one);
        assertThat(tablets.find(4, Bytes.utf8("a"))).containsSame(another);
    }
}
