package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That docs/decoders.md is whole and true. */
class DecodersTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Pattern STATIC_DECODE =
            Pattern.compile("^ +(?:\\w+ )?static [^;={]*? decode\\w*\\(", Pattern.MULTILINE);
    /** A parameter, or one that is made. */
    private static final Pattern INPUT = Pattern.compile("\\bInput \\w+[,)]|\\bInput\\.of\\(|\\bnew Input\\(");

    /** There are others: of Avro, of Thrift. */
    private static final Pattern OUR_INPUT =
            Pattern.compile("^(import bt\\.base\\.Input|package bt\\.base);", Pattern.MULTILINE);

    private static final Pattern TARGET =
            Pattern.compile("@FuzzTest[^\\n]*\\n\\s+(?:\\w+ )?void (\\w+)\\(", Pattern.MULTILINE);

    /** First of each row of a table the classes, then what stands beside them. */
    private record Line(List<String> classes, String beside) {}

    private static List<Line> page() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/decoders.md"))) {
            String[] columns = line.split("\\|", -1);
            if (columns.length == 4 && columns[1].contains("`")) {
                lines.add(new Line(names(columns[1]), columns[2]));
            }
        }
        return lines;
    }

    private static List<String> names(String text) {
        return NAME.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static Set<String> decodersOfThePage() throws IOException {
        Set<String> classes = new TreeSet<>();
        page().forEach(line -> classes.addAll(line.classes()));
        return classes;
    }

    private static Set<String> targetsOfThePage() throws IOException {
        Set<String> targets = new TreeSet<>();
        for (Line line : page()) {
            String test = "";
            for (String name : names(line.beside())) {
                int method = name.indexOf('#');
                if (method >= 0) {
                    test = method == 0 ? test : name.substring(0, method);
                    targets.add(test + name.substring(method));
                }
            }
        }
        return targets;
    }

    @Test
    void everyClassThatDecodesIsOnThePage() throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path file : sources("src/main/java")) {
            if (decodes(Files.readString(file))) {
                found.add(className(file));
            }
        }
        assertThat(found).hasSizeGreaterThan(60);
        assertThat(decodersOfThePage()).containsAll(found);
    }

    private static boolean decodes(String source) {
        return STATIC_DECODE.matcher(source).find()
                || (INPUT.matcher(source).find() && OUR_INPUT.matcher(source).find());
    }

    @Test
    void everyClassOfThePageIsThere() throws IOException {
        Set<String> all = new TreeSet<>();
        for (Path file : sources("src/main/java")) {
            all.add(className(file));
        }
        assertThat(all).containsAll(decodersOfThePage());
    }

    @Test
    void theTargetsOfThePageAreThoseThatThereAre() throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path file : sources("src/test/java")) {
            if (file.toString().endsWith("FuzzTest.java")) {
                Matcher target = TARGET.matcher(Files.readString(file));
                while (target.find()) {
                    found.add(className(file) + "#" + target.group(1));
                }
            }
        }
        assertThat(targetsOfThePage()).isEqualTo(found);
    }

    /** Of all modules, but what Thrift generates. */
    private static List<Path> sources(String below) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(each -> Files.isDirectory(each.resolve(below)))
                    .toList()) {
                try (Stream<Path> files = Files.walk(module.resolve(below))) {
                    files.filter(file -> file.toString().endsWith(".java")
                                    && !file.toString().contains("/gen/"))
                            .forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static String className(Path file) {
        String path = file.toString();
        return path.substring(path.lastIndexOf("/java/") + "/java/".length(), path.length() - ".java".length())
                .replace('/', '.');
    }
}
