package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A page of docs/formats whose examples are lines of digits, with a comment behind three spaces. */
public final class FormatPage {
    private final List<String> lines;

    private FormatPage(List<String> lines) {
        this.lines = lines;
    }

    /** By its file's name. */
    public static FormatPage of(String name) throws IOException {
        return new FormatPage(Files.readAllLines(Path.of("..", "docs", "formats", name)));
    }

    /** What the block that is fenced so says, without its comments. */
    public Bytes example(String fence) {
        assertThat(lines).contains("```" + fence);
        List<String> rest = lines.subList(lines.indexOf("```" + fence) + 1, lines.size());
        StringBuilder digits = new StringBuilder();
        for (String line : rest.subList(0, rest.indexOf("```"))) {
            digits.append(line.split("   ", 2)[0].replace(" ", ""));
        }
        return Bytes.hex(digits.toString());
    }
}
