package bt.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import java.io.IOException;
import java.util.jar.JarFile;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class JarsTest {
    @Test
    void theJarOfALibraryIsTheOneOnTheClassPath() throws IOException {
        assertThat(Jars.of(Schema.class))
                .satisfies(jar -> assertThat(jar.getFileName().toString()).matches("avro-[0-9.]+[.]jar"))
                .isRegularFile();
    }

    @Test
    void aDirectoryOfClassesIsPackedIntoAJar() throws IOException {
        try (JarFile jar = new JarFile(Jars.of(JarsTest.class).toFile())) {
            assertThat(jar.getEntry("bt/mapreduce/JarsTest.class")).isNotNull();
        }
    }

    @Test
    void theJdkIsNotShipped() {
        assertThatThrownBy(() -> Jars.of(String.class))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("java.lang.String ");
    }
}
