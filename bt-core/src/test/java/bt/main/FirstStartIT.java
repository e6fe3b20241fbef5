package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the first cluster of a JVM costs, most of which is Java's loading of classes. Told by what is loaded and not by
 * how long it takes, which is another matter on every machine.
 */
class FirstStartIT {
    /** Starts one, asks it something, and ends. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            long begin = System.nanoTime();
            try (MiniBigtable cluster = MiniBigtable.start()) {
                System.out.println("started in " + (System.nanoTime() - begin) / 1_000_000 + " ms, "
                        + cluster.bigtable().admin().tables().size() + " tables");
            }
            System.exit(0);
        }
    }

    @TempDir
    private Path directory;

    @Test
    void neitherTlsNorBeansAreLoaded() throws Exception {
        Path loaded = directory.resolve("classes");
        Path output = directory.resolve("out");
        Process run = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Xlog:class+load:file=" + loaded + ":none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(run.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            run.destroyForcibly();
        }
        assertThat(Files.readString(output)).contains("0 tables");
        try (Stream<String> classes = Files.lines(loaded)) {
            List<String> names = classes.map(line -> line.split(" ", 2)[0]).toList();
            assertThat(names).contains("org.apache.zookeeper.server.ZooKeeperServer", "bt.tabletserver.TabletServer");
            assertThat(names)
                    .noneMatch(name -> name.startsWith("sun.security.ssl.")
                            || name.startsWith("com.sun.jmx.")
                            || name.startsWith("org.apache.zookeeper.jmx.MBeanRegistry"));
        }
    }
}
