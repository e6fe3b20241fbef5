package bt.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentationTest {
    @ParameterizedTest
    @ValueSource(strings = {"PageLengths", "RowSizes"})
    void theExamplesAreTheJobsThatAreTested(String job) throws IOException {
        String tested = Files.readString(Path.of("src/test/java/bt/mapreduce/" + job + ".java"));
        String example = tested.substring(tested.indexOf("public final class"));
        assertThat(Path.of("../docs/mapreduce.md")).content().contains("```java\n" + example + "```");
    }
}
