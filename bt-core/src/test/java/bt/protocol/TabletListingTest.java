package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.record.Phase;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class TabletListingTest {
    private final TabletListing listing = new TabletListing();

    @Test
    void whoHasHeardNothingIsToldAll() {
        ServerStatus first = tell(-1, report("a", 0), report("b", 0));
        assertThat(names(first)).containsExactly("a", "b");
        assertThat(first.getListedBefore()).isEqualTo(-1);
    }

    @Test
    void whoHasHeardTheLastListIsToldWhatIsOthersSince() {
        long heard = tell(-1, report("a", 0), report("b", 0), report("c", 0)).getList();
        ServerStatus next = tell(heard, report("a", 0), report("b", 7), report("d", 0));
        assertThat(next.getListedBefore()).isEqualTo(heard);
        assertThat(names(next)).containsExactly("b", "d");
        assertThat(next.getGone()).extracting(TabletListing::name).containsExactly(TabletListing.name(report("c", 0)));

        ServerStatus last = tell(next.getList(), report("a", 0), report("b", 7), report("d", 0));
        assertThat(last.getTablets()).isEmpty();
        assertThat(last.getGone()).isEmpty();
    }

    @Test
    void whoHasNotHeardTheLastListIsToldAll() {
        long heard = tell(-1, report("a", 0), report("b", 0)).getList();
        ServerStatus lost = tell(heard, report("a", 0));
        assertThat(lost.getGone()).hasSize(1);
        ServerStatus again = tell(heard, report("a", 0), report("c", 0));
        assertThat(again.getListedBefore()).isEqualTo(-1);
        assertThat(names(again)).containsExactly("a", "c");
        assertThat(again.getList()).isGreaterThan(lost.getList());
    }

    private ServerStatus tell(long heard, TabletReport... tablets) {
        ServerStatus answer = ServerStatus.newBuilder()
                .setServer("server")
                .setEpoch(7)
                .setLockHeld(true)
                .setPid(1)
                .setTablets(List.of())
                .setReads(new RequestReport(0L, 0L, List.of()))
                .setWrites(new RequestReport(0L, 0L, List.of()))
                .build();
        listing.tell(List.of(tablets), heard, answer);
        return answer;
    }

    private static List<String> names(ServerStatus status) {
        return status.getTablets().stream()
                .map(report -> TabletListing.name(report).endRow().orElseThrow().toUtf8())
                .toList();
    }

    private static TabletReport report(String endRow, long bytes) {
        return TabletReport.newBuilder()
                .setTableId(4)
                .setEndRow(AvroBytes.buffer(Bytes.utf8(endRow)))
                .setPhase(Phase.SERVING)
                .setMemtableBytes(bytes)
                .setFileBytes(0)
                .setFiles(0)
                .build();
    }
}
