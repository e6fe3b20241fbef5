package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the assembly wrote to target/bt-VERSION, which bin/bt runs from. */
class DistributionIT {
    private static final Pattern JAR = Pattern.compile("(.+?)-([0-9][0-9A-Za-z.]*(?:-SNAPSHOT|-jre)?)(?:-.+)?\\.jar");
    private static final Path HOME = home();

    @Test
    void everyArtifactHasOneVersion() {
        Map<String, Set<String>> versions = new TreeMap<>();
        for (String directory : List.of("lib", "lib/hadoop", "lib/examples")) {
            for (String jar : jars(directory)) {
                Matcher name = JAR.matcher(jar);
                assertThat(name.matches()).as(jar).isTrue();
                versions.computeIfAbsent(name.group(1), artifact -> new TreeSet<>())
                        .add(name.group(2));
            }
        }
        assertThat(versions.values()).allSatisfy(found -> assertThat(found).hasSize(1));
    }

    @Test
    void libIsFreeOfHadoop() {
        assertThat(jars("lib"))
                .anyMatch(jar -> jar.startsWith("bt-core-"))
                .noneMatch(jar -> jar.startsWith("hadoop-") || jar.startsWith("bt-examples-"));
    }

    @Test
    void hadoopIsFreeOfBt() {
        assertThat(jars("lib/hadoop"))
                .anyMatch(jar -> jar.startsWith("hadoop-mapreduce-client-app-"))
                .noneMatch(jar -> jar.startsWith("bt-"));
    }

    @Test
    void noTestLibraryIsShippedButWhatTheMiniClustersAssertWith() {
        assertThat(Stream.of("lib", "lib/hadoop").flatMap(directory -> jars(directory).stream()))
                .noneMatch(jar -> jar.startsWith("junit") || jar.startsWith("opentest4j"));
        assertThat(Stream.of("lib", "lib/hadoop", "lib/examples").flatMap(directory -> jars(directory).stream()))
                .noneMatch(jar -> jar.startsWith("junit-jupiter-engine")
                        || jar.startsWith("assertj")
                        || jar.startsWith("archunit"));
    }

    @Test
    void whatAUserReadsIsThere() {
        assertThat(List.of(
                        "README.md",
                        "CONTRIBUTING.md",
                        "LICENSE",
                        "NOTICE",
                        "conf/bt.properties",
                        "docs/ARCHITECTURE.md",
                        "examples/README.md",
                        "examples/deprecated.groovy",
                        "examples/thrift/bt.thrift",
                        "examples/java/bt/examples/demo/LinksMapper.java"))
                .allSatisfy(file -> assertThat(HOME.resolve(file)).isNotEmptyFile());
    }

    @Test
    void theCommandIsExecutable() {
        assertThat(HOME.resolve("bin/bt")).isExecutable();
    }

    private static List<String> jars(String directory) {
        try (Stream<Path> files = Files.list(HOME.resolve(directory))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path home() {
        try (Stream<Path> built = Files.list(Path.of("..", "target"))) {
            return built.filter(path -> Files.isDirectory(path.resolve("lib/hadoop")))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no distribution in ../target: run mvn package first"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
