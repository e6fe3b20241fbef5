package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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
            if (!field.contains("?") && !field.contains("*")) {
                assertThat(isWhereItBelongs(field, document))
                        .as("%s: %s in %s", command, field, document)
                        .isTrue();
            }
        }
    }

    /** In the object, or in each of those of the list. */
    private static boolean isWhereItBelongs(String field, JsonNode node) {
        int dot = field.indexOf('.');
        if (dot < 0) {
            return node.has(field);
        }
        String name = field.substring(0, dot);
        String rest = field.substring(dot + 1);
        if (!name.endsWith("[]")) {
            return node.has(name) && isWhereItBelongs(rest, node.get(name));
        }
        JsonNode list = node.path(name.substring(0, name.length() - 2));
        boolean all = list.isArray();
        for (JsonNode element : list) {
            all &= isWhereItBelongs(rest, element);
        }
        return all;
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

    /**
     * What was seen is told of, and each command that is told of has been seen, and each of its fields.
     *
     * @param rare fields, as they are told of, that the documents need not have; by the commands of which the same is told
     */
    void check(Map<String, Set<String>> rare) {
        assertThat(seen.keySet()).isEqualTo(told.keySet());
        seen.forEach((command, paths) -> assertThat(paths).as(command).allMatch(path -> isTold(command, path)));
        alike().forEach((fields, commands) -> assertThat(fields)
                .as("told of %s", commands)
                .allMatch(field ->
                        rare.getOrDefault(String.join(" ", commands), Set.of()).contains(field)
                                || commands.stream()
                                        .flatMap(command -> seen.getOrDefault(command, Set.of()).stream())
                                        .anyMatch(path -> matches(field, path))));
    }

    /** The commands of which the same is told, by that. */
    private Map<List<String>, List<String>> alike() {
        Map<List<String>, List<String>> alike = new HashMap<>();
        told.forEach((command, fields) ->
                alike.computeIfAbsent(fields, unused -> new ArrayList<>()).add(command));
        return alike;
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
