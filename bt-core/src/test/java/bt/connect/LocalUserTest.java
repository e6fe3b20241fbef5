package bt.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LocalUserTest {
    @Test
    void isWhoHadoopTakesTheProcessFor() {
        assertThat(LocalUser.first("alice", "bob", "yarn")).isEqualTo("alice");
        assertThat(LocalUser.first(null, "bob", "yarn")).isEqualTo("bob");
        assertThat(LocalUser.first("", "", "yarn")).isEqualTo("yarn");
        assertThatThrownBy(() -> LocalUser.first(null, null, ""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("HADOOP_USER_NAME");
    }
}
