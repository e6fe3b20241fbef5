package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Request;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of a table of 200 tablets, those of rows 000 to 198 and one behind them. */
class TabletHolderTest {
    private static final int TABLETS = 200;
    private static final Bytes ROW = Bytes.utf8("077x");

    private final List<Request.Scan> scans = Collections.synchronizedList(new ArrayList<>());
    private MemoryCluster cluster;
    private Session session;
    private TableSchema table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        List<Bytes> ends = IntStream.range(0, TABLETS - 1)
                .mapToObj(i -> Bytes.utf8(String.format("%03d", i)))
                .toList();
        table = cluster.table(4, TableTest.WEBTABLE, ends, 3);
        session = new Session(cluster, cluster.locks, cluster.scheduler, new SecureRandom());
        cluster.fates((to, request) -> {
            if (request instanceof Request.Scan scan) {
                scans.add(scan);
            }
            return Fate.DELIVERED;
        });
    }

    @AfterEach
    void stop() {
        session.closing().closeAll();
        cluster.close();
    }

    @Test
    void theTabletOfARowIsFoundWithoutReadingTheOthers() throws Exception {
        assertThat(holder()).contains(tablet("078"));
        assertThat(new TabletHistory(session, table).of(ROW))
                .extracting(TabletEvent::what)
                .contains("created");
        Bytes all = MetadataKeys.tables(4, 4).start();
        assertThat(scans).isNotEmpty().noneMatch(scan -> scan.walk().rows().ranges().stream()
                .anyMatch(range -> range.start().equals(all)));
    }

    @Test
    void aTabletThatHasBecomeAnotherSinceItWasSeenIsFound() throws Exception {
        assertThat(session.locate(table, ROW, session.deadline()).id()).isEqualTo(tablet("078"));
        MetadataRow merged = cluster.metadata.read(tablet("079")).orElseThrow();
        cluster.markGone(tablet("078"));
        cluster.metadata.replace(
                merged, merged.location(), TabletStates.empty(Optional.of(Bytes.utf8("077"))), "merged");
        assertThat(holder()).contains(tablet("079"));
    }

    @Test
    void theLowerHalfOfATabletThatWasSplitSinceItWasSeenIsFound() throws Exception {
        assertThat(session.locate(table, ROW, session.deadline()).id()).isEqualTo(tablet("078"));
        MetadataRow upper = cluster.metadata.read(tablet("078")).orElseThrow();
        cluster.metadata.create(tablet("077z"), TabletStates.empty(Optional.of(Bytes.utf8("077"))), "split off");
        cluster.metadata.replace(upper, upper.location(), TabletStates.empty(Optional.of(Bytes.utf8("077z"))), "split");
        assertThat(holder()).contains(tablet("077z"));
    }

    @Test
    void aTabletThatNobodyServesIsFound() throws Exception {
        cluster.unload(tablet("078"), 3);
        assertThat(holder()).contains(tablet("078"));
    }

    private Optional<TabletId> holder() throws Exception {
        return new TabletHolder(session, table).of(ROW, session.deadline()).map(MetadataRow::id);
    }

    private static TabletId tablet(String end) {
        return new TabletId(4, Optional.of(Bytes.utf8(end)));
    }
}
