package bt.main.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user of the artifact has: a JVM whose class path has bt-core, what that brings along, and JUnit. */
class MiniBigtableExtensionIT {
    @TempDir
    private Path directory;

    @Test
    void testsOfAnApplicationHaveAClusterWithoutHadoopAndLeaveNothing() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Path output = directory.resolve("out");
        Process run = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        classPathWithoutHadoop(),
                        ApplicationRun.class.getName()))
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

    private static String classPathWithoutHadoop() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("hadoop-"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
