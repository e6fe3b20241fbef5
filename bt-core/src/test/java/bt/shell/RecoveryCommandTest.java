package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;

import bt.record.RecoveryLine;
import org.junit.jupiter.api.Test;

class RecoveryCommandTest {
    private static RecoveryLine.Builder line() {
        return RecoveryLine.newBuilder()
                .setServer("127.0.0.1_4711_ab")
                .setEpoch(241)
                .setMillis(3_400)
                .setClosed(true)
                .setSegments(5)
                .setBytes(300)
                .setSortedSegments(3)
                .setSortedBytes(180)
                .setTabletsWaiting(3)
                .setTabletsServed(1)
                .setLeftMillis(2_100);
    }

    @Test
    void aLineSaysHowFarItIs() {
        assertThat(RecoveryCommand.text(line().build()))
                .isEqualTo("127.0.0.1_4711_ab\tepoch 241\tfor 4 s\tlog closed\t3 of 5 segments sorted\t180 of 300 bytes"
                        + "\t3 tablets wait\t1 are served\tabout 3 s left");
    }

    @Test
    void whatIsNotKnownIsSaid() {
        assertThat(RecoveryCommand.text(
                        line().setServer("").setClosed(false).setLeftMillis(-1).build()))
                .startsWith("unknown\tepoch 241\t")
                .contains("\tlog being closed\t")
                .endsWith("\ttime left unknown");
    }
}
