package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.record.RecoveryLine;
import org.junit.jupiter.api.Test;

class RecoveryProgressTest {
    private static long leftAfterTenSeconds(long sortedBytes, int served) {
        return RecoveryProgress.leftMillis(RecoveryLine.newBuilder()
                .setServer("")
                .setEpoch(7)
                .setMillis(10_000)
                .setClosed(true)
                .setSegments(4)
                .setBytes(400)
                .setSortedSegments(0)
                .setSortedBytes(sortedBytes)
                .setTabletsWaiting(4 - served)
                .setTabletsServed(served)
                .setLeftMillis(-1)
                .build());
    }

    @Test
    void nothingIsSaidBeforeAnythingIsDone() {
        assertThat(leftAfterTenSeconds(0, 0)).isEqualTo(-1);
    }

    @Test
    void whatIsSortedIsHalfTheWay() {
        assertThat(leftAfterTenSeconds(400, 0)).isEqualTo(10_000);
        assertThat(leftAfterTenSeconds(200, 0)).isEqualTo(30_000);
    }

    @Test
    void tabletsThatNeedNoSortedSegmentCountByThemselves() {
        assertThat(leftAfterTenSeconds(0, 2)).isEqualTo(10_000);
        assertThat(leftAfterTenSeconds(400, 3)).isEqualTo(1_429);
    }
}
