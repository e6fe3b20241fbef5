package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.command.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/bt}: the words it hands on, and what it says where there is no JDK. */
class LauncherTest {
    private static final String BASH = "/bin/bash";

    @TempDir
    private Path distribution;

    /** Whatever it is called, it is the one of ASCII. */
    @Test
    void wordsAreUtf8AlsoInALocaleThatIsNotInstalled() throws Exception {
        for (Map<String, String> locale : List.of(
                Map.of("LANG", "xx_XX.UTF-8"),
                Map.of("LC_ALL", "xx_XX.UTF-8"),
                Map.of("LC_CTYPE", "xx_XX.utf8"),
                Map.of("LC_ALL", "POSIX"),
                Map.<String, String>of())) {
            assertThat(typed("$'t\\xc3\\xa9' $'\\xe2\\x82\\xac'", locale))
                    .as(locale.toString())
                    .contains("bt: REJECTED: Unmatched arguments", "'t\u00e9'", "'\u20ac'");
        }
    }

    /** Each of these would be the key k U+FFFD. */
    @Test
    void bytesThatAreNoUtf8AreRefusedAndNeverTakenForOthers() throws Exception {
        for (String key : List.of("$'k\\xe9'", "$'k\\xe8'", "$'k\\xff'", "$'k\\xef\\xbf\\xbd'")) {
            assertThat(typed("put t " + key + " f:q v", Map.of()))
                    .as(key)
                    .isEqualTo("bt: REJECTED: the word \"k?\" has bytes, shown as ?, that are no UTF-8: write them"
                            + " \\xNN; the sign U+FFFD itself is \\xef\\xbf\\xbd\n");
        }
        assertThat(typed("--json get t $'k\\xe9'", Map.of())).startsWith("{\"failure\":\"REJECTED\"");
    }

    /** What the script of a distribution prints whose classes are those of this JVM. */
    private String typed(String words, Map<String, String> environment) throws Exception {
        Path bin = Files.createDirectories(distribution.resolve("bin"));
        Files.createDirectories(distribution.resolve("conf"));
        Files.copy(Path.of("..", "bin", "bt"), bin.resolve("bt"), StandardCopyOption.REPLACE_EXISTING);
        // Bash makes the bytes: Java would write the words of a process in a charset of its own.
        ProcessBuilder builder = new ProcessBuilder(BASH, "-c", "exec " + BASH + " bin/bt " + words);
        builder.directory(distribution.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // It stands in the class path.
        builder.environment().put("HADOOP_CONF_DIR", System.getProperty("java.class.path"));
        builder.environment().putAll(environment);
        return output(builder);
    }

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
                new ProcessBuilder(BASH, Path.of("..", "bin", "bt").toString(), "tables");
        builder.environment().clear();
        builder.environment().putAll(environment);
        return output(builder);
    }

    private static String output(ProcessBuilder builder) throws Exception {
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(ExitCode.REJECTED);
        return output;
    }
}
