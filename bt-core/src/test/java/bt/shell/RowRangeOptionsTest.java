package bt.shell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.command.UsageException;
import bt.model.RowSet;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RowRangeOptionsTest {
    @TempDir
    private Path directory;

    private RowSet rows(String text, Charset charset) throws Exception {
        return rows(Files.writeString(directory.resolve("rows"), text, charset));
    }

    private static RowSet rows(Path file) throws UsageException {
        RowRangeOptions options = new RowRangeOptions();
        CommandLine.ParseResult unused = new CommandLine(options).parseArgs("--rows", file.toString());
        return options.rows();
    }

    @Test
    void linesOfAFileAreRowsWhateverEndsThem() throws Exception {
        assertThat(rows("\uFEFFa\r\n\n b \n\\x00\\\\\rk\u00e9", UTF_8))
                .isEqualTo(RowSet.rows(
                        List.of(Bytes.utf8("a"), Bytes.utf8(" b "), Bytes.hex("005c"), Bytes.utf8("k\u00e9"))));
        String longest = "\\xff".repeat(65_536);
        assertThat(rows(longest + "\r\n", UTF_8)).isEqualTo(RowSet.rows(List.of(Bytes.parse(longest))));
    }

    @Test
    void aLineThatIsNoRowIsToldWithItsFileAndNumber() {
        Path file = directory.resolve("rows");
        assertThatThrownBy(() -> rows("a\n\nkey\\x0\n", UTF_8))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--rows " + file + ", line 3: ")
                .hasMessageContaining("backslash");
        assertThatThrownBy(() -> rows("a\nk\u00e9\nb\n", ISO_8859_1))
                .isInstanceOf(UsageException.class)
                .hasMessage("--rows " + file + ", line 2: bytes that are no UTF-8: write them \\xNN, or convert the"
                        + " file");
        assertThatThrownBy(() -> rows("a\n" + "k".repeat(300_000), UTF_8))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--rows " + file + ", line 2: ");
    }

    @Test
    void aFileThatIsNotThereIsToldInWords() {
        assertThatThrownBy(() -> rows(directory.resolve("nowhere")))
                .isInstanceOf(UsageException.class)
                .hasMessage("--rows " + directory.resolve("nowhere")
                        + ": there is no such file: name a file with a row key in each line");
    }
}
