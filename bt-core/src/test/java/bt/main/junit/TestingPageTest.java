package bt.main.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What docs/guide/testing.md has projects put into their POMs is what this build publishes, and was tried with. */
class TestingPageTest {
    private static final Pattern XML = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);

    /** As a POM names one. */
    private record Dependency(
            String group, String artifact, Optional<String> version, Optional<String> scope, boolean optional) {
        /** Whether a project gets it with what has it in its POM. */
        boolean comesAlong() {
            return !optional && List.of("compile", "runtime").contains(scope.orElse("compile"));
        }
    }

    @Test
    void thePageNamesWhatTheBuildHas() throws Exception {
        Element parent = parsed(Files.readString(Path.of("../pom.xml")));
        Element core = parsed(Files.readString(Path.of("pom.xml")));
        List<Dependency> named = dependencies(page());
        assertThat(named)
                .extracting(Dependency::artifact)
                .containsExactly("bt-core", "metrics-core", "snappy-java", "junit-jupiter");
        assertThat(named).extracting(Dependency::scope).containsOnly(Optional.of("test"));
        Dependency library = named.get(0);
        assertThat(library.group()).isEqualTo(text(parent, "groupId").orElseThrow());
        assertThat(library.artifact()).isEqualTo(text(core, "artifactId").orElseThrow());
        assertThat(library.version()).isEqualTo(text(parent, "version"));
        for (Dependency other : named.subList(1, named.size())) {
            String jar = other.group().replace('.', '/') + "/" + other.artifact() + "/"
                    + other.version().orElseThrow() + "/" + other.artifact() + "-"
                    + other.version().orElseThrow() + ".jar";
            assertThat(System.getProperty("java.class.path").split(File.pathSeparator))
                    .as("what the tests run with")
                    .anyMatch(entry -> entry.replace(File.separatorChar, '/').endsWith("/" + jar));
        }
    }

    /** A class path that is picked from the one of our own tests does not tell: these have all. */
    @Test
    void whatTheClusterNeedsComesWithTheLibraryOrStandsOnThePage() throws Exception {
        List<String> named =
                dependencies(page()).stream().map(Dependency::artifact).toList();
        List<Dependency> core = dependencies(parsed(Files.readString(Path.of("pom.xml"))));
        assertThat(core).hasSizeGreaterThan(20);
        assertThat(core)
                .filteredOn(each -> MiniBigtableExtensionIT.JARS
                        .matcher(each.artifact() + "-1.jar")
                        .matches())
                .filteredOn(each -> !named.contains(each.artifact()) && !isOfJunit(each))
                .hasSizeGreaterThan(10)
                .allSatisfy(each ->
                        assertThat(each.comesAlong()).as(each.artifact()).isTrue());
    }

    /** Versions that this build gives to what others bring along hold in this build alone. */
    @Test
    void whatZooKeeperBringsOfNettyIsOfTheVersionOfTheRest() throws Exception {
        List<String> entries = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        Path zookeeper = entries.stream()
                .map(Path::of)
                .filter(entry -> entry.getFileName().toString().matches("zookeeper-[0-9.]+[.]jar"))
                .findFirst()
                .orElseThrow();
        String pom = zookeeper.getFileName().toString().replaceFirst("[.]jar$", ".pom");
        List<String> direct = dependencies(parsed(Files.readString(Path.of("pom.xml")))).stream()
                .map(Dependency::artifact)
                .toList();
        assertThat(dependencies(parsed(Files.readString(zookeeper.resolveSibling(pom)))))
                .filteredOn(each -> each.group().equals("io.netty"))
                .extracting(Dependency::artifact)
                .filteredOn(artifact -> entries.stream()
                        .anyMatch(
                                entry -> Path.of(entry).getFileName().toString().startsWith(artifact + "-")))
                .hasSizeGreaterThan(1)
                .isSubsetOf(direct);
    }

    /** Comes with the one of them that stands on the page. */
    private static boolean isOfJunit(Dependency dependency) {
        return dependency.group().startsWith("org.junit.");
    }

    private static Element page() throws Exception {
        Matcher block = XML.matcher(Files.readString(Path.of("../docs/guide/testing.md")));
        assertThat(block.find()).isTrue();
        return parsed("<project>" + block.group(1) + "</project>");
    }

    private static Element parsed(String xml) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        return document.getDocumentElement();
    }

    private static List<Dependency> dependencies(Element project) {
        return children(project)
                .filter(child -> child.getTagName().equals("dependencies"))
                .flatMap(TestingPageTest::children)
                .map(each -> new Dependency(
                        text(each, "groupId").orElseThrow(),
                        text(each, "artifactId").orElseThrow(),
                        text(each, "version"),
                        text(each, "scope"),
                        text(each, "optional").filter("true"::equals).isPresent()))
                .toList();
    }

    private static Optional<String> text(Element parent, String name) {
        return children(parent)
                .filter(child -> child.getTagName().equals(name))
                .map(child -> child.getTextContent().strip())
                .findFirst();
    }

    private static Stream<Element> children(Element parent) {
        return IntStream.range(0, parent.getChildNodes().getLength())
                .mapToObj(parent.getChildNodes()::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
                .map(Element.class::cast);
    }
}
