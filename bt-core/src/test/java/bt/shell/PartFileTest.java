package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartFileTest {
    @TempDir
    private Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = directory.resolve("cells.csv");
    }

    @Test
    void itIsThereWhenAllIsInItAndBeforeBesideThat() throws Exception {
        try (PartFile part = PartFile.open(file, err)) {
            part.out().write('x');
            part.out().close();
            assertThat(file).doesNotExist();
            part.finish();
        }
        assertThat(file).hasContent("x");
        assertThat(PartFile.partOf(file)).doesNotExist();
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void oneThatIsNotFinishedGoesAndThatIsSaid() throws Exception {
        PartFile.open(file, err).close();
        assertThat(directory).isEmptyDirectory();
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("cells.csv.part is removed");
    }

    @Test
    void anothersIsLeftAloneBeforeAndAfter() throws Exception {
        Path anothers = Files.writeString(PartFile.partOf(file), "another's");
        assertThatThrownBy(() -> PartFile.open(file, err)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(anothers).hasContent("another's");
        Files.delete(anothers);

        try (PartFile part = PartFile.open(file, err)) {
            part.out().close();
            part.finish();
            Files.writeString(anothers, "another's");
        }
        assertThat(anothers).hasContent("another's");
    }
}
