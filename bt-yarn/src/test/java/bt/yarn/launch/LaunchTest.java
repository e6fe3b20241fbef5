package bt.yarn.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "hdfs://127.0.0.1:9000/user/me/.bt/x.tar",
                "two words",
                "$HOME",
                "`id`",
                "it's",
                "\"quoted\"",
                "back\\slash",
                "a;b|c&d>e",
                ""
            })
    void aWordReachesTheProcessAsItIs(String word) throws IOException, InterruptedException {
        // As YARN's launch script does.
        String script = "exec /bin/bash -c \"printf %s " + ShellWord.quote(word) + "\"";
        Process process = new ProcessBuilder("/bin/bash", "-c", script).start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(word);
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void theHeapLeavesRoomForTheRestOfTheContainer() {
        assertThat(Launch.command(1024, List.of("tabletserver")))
                .contains("-Xmx768m")
                .contains("MaxDirectMemorySize=128m");
    }

    @Test
    void theJvmTakesThePlaceOfTheShell() {
        assertThat(Launch.command(512, List.of("master"))).startsWith("exec ").contains("bt.main.Main 'master'");
    }
}
