package bt.thrift.gen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The generated sources are those of the interface as it is. To renew them, in bt-thrift and with the same compiler:
 * {@code thrift -strict --gen java:generated_annotations=suppress,private_members,unsafe_binaries -out src/main/java
 * src/main/thrift/bt.thrift}.
 */
class GeneratedTest {
    private static final String COMPILER = "Thrift version 0.24.";
    private static final String OPTIONS = "java:generated_annotations=suppress,private_members,unsafe_binaries";
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path INTERFACE = Path.of("src/main/thrift/bt.thrift");
    private static final Path RECORD = Path.of("src/main/thrift/generated.sha256");

    @TempDir
    Path renewed;

    @Test
    void theSourcesAreWhatTheInterfaceGenerates() throws IOException, InterruptedException {
        assumeTrue(hasCompiler(), "needs a Thrift compiler 0.24 on the PATH");

        String said =
                run("thrift", "-strict", "--gen", OPTIONS, "-out", renewed.toString(), "src/main/thrift/bt.thrift");

        assertThat(said).isEmpty();
        assertThat(sources(SOURCES)).isEqualTo(sources(renewed)).isNotEmpty();
    }

    /** Where there is no compiler, too. Who has generated the sources records that with {@code -Drewrite=true}. */
    @Test
    void theSourcesAndTheInterfaceAreThoseThatWereRecordedTogether() throws Exception {
        String now = digest(Map.of("bt.thrift", Files.readString(INTERFACE))) + "  bt.thrift\n"
                + digest(sources(SOURCES)) + "  bt/thrift/gen\n";
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(RECORD, now);
        }
        assertThat(now)
                .as("generate the sources from the interface as CONTRIBUTING.md says, and record that")
                .isEqualTo(Files.readString(RECORD));
    }

    /** Of files by their names, in their order. */
    private static String digest(Map<String, String> files) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
            digest.update((file.getKey() + "\0" + file.getValue() + "\0").getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            return run("thrift", "--version").startsWith(COMPILER);
        } catch (IOException absent) {
            return false;
        }
    }

    private static Map<String, String> sources(Path root) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.list(root.resolve("bt/thrift/gen"))) {
            for (Path file : files.toList()) {
                sources.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return sources;
    }

    private static String run(String... words) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(words)).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
