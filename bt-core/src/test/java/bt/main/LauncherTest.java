package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.command.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code bin/bt} where there is no JDK. */
class LauncherTest {
    @Test
    void withoutJavaItSaysWhatToInstall() throws Exception {
        assertThat(run(Map.of("PATH", "/nowhere")))
                .isEqualTo(
                        "bt: REJECTED: no Java found, neither in JAVA_HOME nor on the PATH: install JDK 17 or newer and point"
                                + " JAVA_HOME at it\n");
    }

    @Test
    void withAWrongJavaHomeItSaysWhichOne() throws Exception {
        assertThat(run(Map.of("PATH", "/nowhere", "JAVA_HOME", "/nowhere/jdk")))
                .startsWith("bt: REJECTED: JAVA_HOME is /nowhere/jdk, but")
                .hasLineCount(1);
    }

    private static String run(Map<String, String> environment) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/bash", Path.of("..", "bin", "bt").toString(), "tables");
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(ExitCode.REJECTED);
        return output;
    }
}
