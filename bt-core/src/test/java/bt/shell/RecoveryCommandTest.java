package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.RecoveryInfo;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RecoveryCommandTest {
    private static RecoveryInfo recovery(Optional<String> server, boolean isLogClosed, OptionalLong millisLeft) {
        return new RecoveryInfo(server, 241, 3_400, isLogClosed, 5, 300, 3, 180, 3, 1, millisLeft);
    }

    @Test
    void aLineSaysHowFarItIs() {
        assertThat(RecoveryCommand.text(recovery(Optional.of("127.0.0.1_4711_ab"), true, OptionalLong.of(2_100))))
                .isEqualTo("127.0.0.1_4711_ab\tepoch 241\tfor 4 s\tlog closed\t3 of 5 segments sorted\t180 of 300 bytes"
                        + "\t3 tablets wait\t1 are served\tabout 3 s left");
    }

    @Test
    void whatIsNotKnownIsSaid() {
        assertThat(RecoveryCommand.text(recovery(Optional.empty(), false, OptionalLong.empty())))
                .startsWith("unknown\tepoch 241\t")
                .contains("\tlog being closed\t")
                .endsWith("\ttime left unknown");
    }
}
