package bt.main.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What docs/guide/testing.md names in its lines is in this build: profiles, and tests. */
class TestingLinesTest {
    private static final Path PAGE = Path.of("../docs/guide/testing.md");
    private static final Pattern MAVEN = Pattern.compile("`mvn ([^`]+)`");
    private static final Pattern NAMED = Pattern.compile("`(bt\\.main\\.\\w+)`");

    /** Profiles that there are, and goals of Maven. */
    @Test
    void whatMavenIsAskedForIsThere() throws Exception {
        List<String> profiles = elements(parse(Files.readString(Path.of("pom.xml"))), "profile").stream()
                .map(profile -> child(profile, "id"))
                .toList();
        List<String> commands = MAVEN.matcher(Files.readString(PAGE))
                .results()
                .map(each -> each.group(1))
                .toList();
        assertThat(commands).hasSizeGreaterThan(1);
        for (String command : commands) {
            for (String word : command.split(" ", -1)) {
                if (word.startsWith("-P")) {
                    assertThat(profiles).as(command).contains(word.substring(2));
                } else if (!word.startsWith("-D")) {
                    assertThat(word).as(command).isIn("deploy", "install");
                }
            }
        }
    }

    @Test
    void theTestsThatItNamesAreThere() throws Exception {
        List<String> named = new ArrayList<>();
        for (MatchResult each : NAMED.matcher(Files.readString(PAGE)).results().toList()) {
            named.add(each.group(1));
            assertThat(Path.of("src/test/java", each.group(1).replace('.', '/') + ".java"))
                    .isRegularFile();
        }
        assertThat(named).isNotEmpty();
    }

    private static Element parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
    }

    private static List<Element> elements(Element in, String name) {
        NodeList found = in.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    /** Directly in it. */
    private static String child(Element in, String name) {
        return elements(in, name).stream()
                .filter(each -> each.getParentNode() == in)
                .findFirst()
                .orElseThrow()
                .getTextContent()
                .strip();
    }
}
