package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallerTest {
    private static final List<String> ADDRESSES = List.of(
            "", ":1", "host", "host:1", "host2:1", "10.0.0.1:50000", "10.0.0.12:50000", "0:0:0:0:0:0:0:1:9", "0:0");

    @Test
    void whoIsFromAHostIsToldWithoutItsName() {
        for (String address : ADDRESSES) {
            Caller caller = new Caller("ada", address, 0);
            for (String other : ADDRESSES) {
                String host = new Caller("ada", other, 0).host();
                assertThat(caller.isFrom(host))
                        .as("%s from %s", address, host)
                        .isEqualTo(caller.host().equals(host));
            }
        }
    }
}
