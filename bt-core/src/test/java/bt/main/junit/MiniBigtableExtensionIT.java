package bt.main.junit;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.Yardstick;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user of the artifact has: a JVM whose class path has what docs/guide/testing.md says, and no Hadoop. */
class MiniBigtableExtensionIT {
    /** bt-core, what it brings along, what the guide names beside it, JUnit, and what the tests assert with. */
    static final Pattern JARS = Pattern.compile(
            "(bt-core|slf4j-api|picocli|jline|avro|commons-(codec|compress|io|lang3)"
                    + "|jackson-(annotations|core|databind)|netty-.*|zookeeper|zookeeper-jute|audience-annotations|re2j|caffeine"
                    + "|lz4-java|zstd-jni|metrics-core|snappy-java"
                    + "|junit-(jupiter|platform).*|opentest4j|assertj-core|awaitility|hamcrest|byte-buddy)-[0-9].*[.]jar");

    @TempDir
    private Path directory;

    @Test
    void testsOfAnApplicationHaveAClusterWithoutHadoopAndLeaveNothing() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Path output = directory.resolve("out");
        long yardstickMillis = Yardstick.millis(directory, classPath());
        Process run = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        classPath(),
                        ApplicationRun.class.getName(),
                        Long.toString(yardstickMillis)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(run.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            run.destroyForcibly();
        }
        String said = Files.readString(output);
        assertThat(run.exitValue()).as(said).isZero();
        assertThat(said).contains("nothing is left");
        said.lines().filter(line -> line.startsWith("a cluster for tests")).forEach(System.out::println);
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("mini-bigtable")))
                    .isEmpty();
        }
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Files.isDirectory(Path.of(entry))
                        || JARS.matcher(Path.of(entry).getFileName().toString()).matches())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
