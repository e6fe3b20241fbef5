package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.ServerLine;
import bt.record.TabletReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is told of a server that has a tablet and gives another up. */
class ClusterReportTest {
    private static final Member SERVER = new Member("s", new Address("host-1", 1), 7, "");
    private static final TabletReport SERVED = TabletReport.newBuilder()
            .setTableId(4)
            .setPhase(Phase.SERVING)
            .setMemtableBytes(0)
            .setFileBytes(0)
            .setFiles(0)
            .build();
    private static final TabletId LEAVING = new TabletId(4, Optional.of(Bytes.utf8("m")));

    private final Poll.Holdings told = Sights.leaving(SERVER, List.of(SERVED), List.of(LEAVING));

    private static ServerLine line(Sight sight) {
        return new ClusterReport(1, "i").of(sight, 0, List.of()).getServers().get(0);
    }

    @Test
    void whatIsGivenUpIsStillThereUntilMetadataSaysThatItHasLeft() {
        ServerLine line = line(new Sight(List.of(SERVER), List.of(), Map.of(SERVER, told), Set.of()));
        assertThat(line.getTablets()).isEqualTo(2);
        assertThat(line.getAlive()).isTrue();
    }

    @Test
    void whoIsSilentHasWhatItHadWhenItAnsweredLast() {
        ServerLine line = line(new Sight(List.of(SERVER), List.of(), Map.of(), Set.of(), Map.of(SERVER, told)));
        assertThat(line.getTablets()).isEqualTo(2);
        assertThat(line.getAlive()).isFalse();
    }
}
