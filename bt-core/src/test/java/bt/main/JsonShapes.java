package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The table of docs/guide/shell.md that says which fields the documents of each command have, held against documents. */
final class JsonShapes {
    private static final Pattern LINE = Pattern.compile("^\\| (`[a-z `,]+`) \\| (`.+`) \\|$");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final Map<String, List<String>> told = new TreeMap<>();
    private final Map<String, Set<String>> seen = new TreeMap<>();

    static JsonShapes read() throws IOException {
        JsonShapes shapes = new JsonShapes();
        for (String line : Files.readAllLines(Path.of("..", "docs", "guide", "shell.md"))) {
            LINE.matcher(line).results().forEach(found -> {
                for (String command : codes(found.group(1))) {
                    shapes.told.put(command, codes(found.group(2)));
                }
            });
        }
        assertThat(shapes.told).isNotEmpty();
        return shapes;
    }

    private static List<String> codes(String text) {
        return CODE.matcher(text)
                .results()
                .map((MatchResult code) -> code.group(1))
                .toList();
    }

    void saw(String command, JsonNode document) {
        Set<String> paths = seen.computeIfAbsent(command, unused -> new TreeSet<>());
        collect("", document, paths);
        for (String field : told.getOrDefault(command, List.of())) {
            if (field.matches("[A-Za-z0-9]+")) {
                assertThat(document.has(field))
                        .as("%s: %s in %s", command, field, document)
                        .isTrue();
            }
        }
    }

    private static void collect(String path, JsonNode node, Set<String> paths) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field -> collect(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), paths));
        } else if (node.isArray()) {
            node.forEach(element -> collect(path + "[]", element, paths));
        } else {
            paths.add(path);
        }
    }

    /** What was seen is told of, and each command that is told of has been seen. */
    void check() {
        assertThat(seen.keySet()).isEqualTo(told.keySet());
        seen.forEach((command, paths) -> assertThat(paths).as(command).allMatch(path -> isTold(command, path)));
    }

    private boolean isTold(String command, String path) {
        return told.getOrDefault(command, List.of()).stream().anyMatch(field -> matches(field, path));
    }

    private static boolean matches(String field, String path) {
        String[] parts = field.replace("?", "").split("\\*", -1);
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            pattern.append(i == 0 ? "" : ".+").append(Pattern.quote(parts[i]));
        }
        return path.matches(pattern.toString());
    }
}
