package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the library and the servers say is for programs too, of any language: what to do is said without a command of a shell. */
class ProgramsWordsTest {
    private static final Path SOURCES = Path.of("src/main/java/bt");

    private static final List<String> PACKAGES = List.of(
            "base", "client", "connect", "coord", "master", "metadata", "model", "protocol", "tablet", "tabletserver");

    /** Of a text in quotation marks, which parts that are put together are one. */
    private static final Pattern COMMAND = Pattern.compile(
            "\"[^\"\\n]*\\bbt (?:alter|append|clusters?|compact|config|count|"
                    + "create|delete|describe|doctor|drain|drop|export|flush|gc|get|grant|history|import|increment|merge|modify|"
                    + "move|operations|put|recovery|revoke|rights|scan|schema|servers|split|tables|traces|truncate|undelete)\\b");

    private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

    @Test
    void theLibraryAndTheServersNameNoCommand() throws IOException {
        List<String> named = new ArrayList<>();
        int files = 0;
        for (String name : PACKAGES) {
            try (Stream<Path> sources = Files.walk(SOURCES.resolve(name))) {
                for (Path source : sources.filter(each -> each.toString().endsWith(".java"))
                        .toList()) {
                    files++;
                    String text = JOINT.matcher(Files.readString(source)).replaceAll("");
                    COMMAND.matcher(text).results().forEach(found -> named.add(source + ": " + found.group()));
                }
            }
        }
        assertThat(files).isGreaterThan(400);
        assertThat(named).isEmpty();
    }

    @Test
    void aCommandIsFoundHoweverItsTextIsPutTogether() {
        String text =
                JOINT.matcher("\"begin with bt\"\n    + \" grant \" + user").replaceAll("");
        assertThat(COMMAND.matcher(text).find()).isTrue();
        assertThat(COMMAND.matcher("\"this bt reads versions 1 to 3\"").find()).isFalse();
    }
}
