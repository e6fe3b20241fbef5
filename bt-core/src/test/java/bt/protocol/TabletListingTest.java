package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.record.Phase;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TabletListingTest {
    /** What an answer counts for a report of a name of one byte. */
    private static final int REPORT_BYTES = 121;

    private TabletListing listing = new TabletListing();

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
        assertThat(names(next)).containsExactly("d", "b");
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

    @Test
    void whatHasNoRoomIsToldWithTheNextAnswersUntilTheListIsWhole() {
        listing = new TabletListing(2 * REPORT_BYTES);
        ServerStatus first = tell(-1, report("a", 0), report("b", 0), report("c", 0), report("d", 0), report("e", 0));
        assertThat(names(first)).containsExactly("a", "b");
        assertThat(first.getListGoesOn()).isTrue();

        // Meanwhile one has gone of those that were told, and one of the others; one has come.
        TabletReport[] now = {report("a", 9), report("c", 0), report("e", 0), report("f", 0)};
        ServerStatus second = tell(first.getList(), now);
        assertThat(second.getListedBefore()).isEqualTo(first.getList());
        assertThat(second.getGone())
                .extracting(TabletListing::name)
                .containsExactly(TabletListing.name(report("b", 0)));
        assertThat(names(second)).containsExactly("c");
        assertThat(second.getListGoesOn()).isTrue();

        ServerStatus third = tell(second.getList(), now);
        assertThat(names(third)).containsExactly("e", "f");
        assertThat(third.getListGoesOn()).isFalse();
        assertThat(names(tell(third.getList(), now)))
                .as("what is another number alone")
                .containsExactly("a");
    }

    /** The master would take the server for one that has it not. */
    @Test
    void aListIsNotWholeBeforeItSaysWhatIsServedAndWhatIsNot() {
        listing = new TabletListing(3 * REPORT_BYTES);
        ServerStatus whole = tell(-1, report("a", 0), report("b", 0));
        assertThat(whole.getListGoesOn()).isFalse();
        TabletReport failed = report("b", 0);
        failed.setFailure("a file is damaged");
        TabletReport loading = report("a", 0);
        loading.setPhase(Phase.LOADING);
        ServerStatus next = tell(whole.getList(), loading, failed, report("c", 0), report("d", 0));
        assertThat(next.getListGoesOn()).isTrue();
        ServerStatus last = tell(next.getList(), loading, failed, report("c", 0), report("d", 0));
        assertThat(next.getTablets().size() + last.getTablets().size()).isEqualTo(4);
        assertThat(last.getListGoesOn()).isFalse();
    }

    @Test
    void whereNumbersHaveNoRoomEachHasItsTurn() {
        listing = new TabletListing(2 * REPORT_BYTES);
        long heard = -1;
        for (int i = 0; i < 3; i++) {
            heard = tell(heard, report("a", 0), report("b", 0), report("c", 0), report("d", 0), report("e", 0))
                    .getList();
        }
        List<String> told = new ArrayList<>();
        for (int bytes = 1; bytes <= 5; bytes++) {
            ServerStatus next = tell(
                    heard,
                    report("a", bytes),
                    report("b", bytes),
                    report("c", bytes),
                    report("d", bytes),
                    report("e", bytes));
            assertThat(next.getListGoesOn()).isFalse();
            told.addAll(names(next));
            heard = next.getList();
        }
        assertThat(told).containsExactly("a", "b", "c", "d", "e", "a", "b", "c", "d", "e");
    }

    /** However long it is. */
    @Test
    void eachAnswerTellsSomething() {
        listing = new TabletListing(1);
        ServerStatus first = tell(-1, report("a", 0), report("b", 0));
        assertThat(names(first)).containsExactly("a");
        assertThat(names(tell(first.getList(), report("a", 0), report("b", 0)))).containsExactly("b");
        assertThat(TabletListing.someNames(
                        Collections.nCopies(100, TabletListing.name(report("r".repeat(1 << 16), 0)))))
                .hasSizeBetween(50, 64);
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
