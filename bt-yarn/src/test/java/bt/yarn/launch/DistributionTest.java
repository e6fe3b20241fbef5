package bt.yarn.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistributionTest {
    @TempDir
    Path home;

    @BeforeEach
    void makeHome() throws IOException {
        for (String file : List.of("lib/bt-core.jar", "lib/hadoop/hdfs.jar", "lib/examples/mini.jar", "conf/x")) {
            Files.createDirectories(home.resolve(file).getParent());
            Files.writeString(home.resolve(file), "content of " + file);
        }
    }

    @Test
    void theArchiveHasTheJarsThatAContainerNeeds() throws IOException {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        Distribution.in(home).writeTo(archive);

        assertThat(entries(archive.toByteArray()))
                .containsExactly(
                        "lib/bt-core.jar content of lib/bt-core.jar",
                        "lib/hadoop/hdfs.jar content of lib/hadoop/hdfs.jar");
    }

    @Test
    void sameJarsSameIdWheneverTheyWereWritten() throws IOException {
        String id = Distribution.in(home).id();
        Files.writeString(home.resolve("lib/bt-core.jar"), "content of lib/bt-core.jar");
        Files.writeString(home.resolve("lib/examples/mini.jar"), "other");

        assertThat(Distribution.in(home).id()).isEqualTo(id);
    }

    @Test
    void anotherJarAnotherId() throws IOException {
        String id = Distribution.in(home).id();
        Files.writeString(home.resolve("lib/bt-core.jar"), "content of lib/bt-cor3.jar");

        assertThat(Distribution.in(home).id()).isNotEqualTo(id);
    }

    @Test
    void aDirectoryThatIsNoDistributionIsRefused() {
        assertThatThrownBy(() -> Distribution.in(home.resolve("conf")))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("there is no distribution in")
                .hasMessageContaining("lib is missing");
    }

    private static List<String> entries(byte[] archive) throws IOException {
        List<String> entries = new ArrayList<>();
        try (TarArchiveInputStream in = new TarArchiveInputStream(new ByteArrayInputStream(archive))) {
            for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                entries.add(entry.getName() + " " + new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }
}
