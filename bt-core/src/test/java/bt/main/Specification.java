package bt.main;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of {@code src/test/resources/spec}: what the data model means, as command lines of {@code bt} and their answers. A
 * line that begins with {@code >} is a command, whose words may stand in double quotes; the lines behind it are its answer,
 * the fields parted by bars, or {@code (nothing)}, or {@code !} and a part of the line that refuses it. What stands apart
 * between them is for the reader. Every section keeps to rows of its own, so that whatever is read can be read again later.
 */
record Specification(String topic, List<Step> steps) {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|\\S+");

    /** A command and what it comes to. */
    record Step(List<String> words, List<String> answer) {
        boolean isRead() {
            return words.get(0).equals("get") || words.get(0).equals("scan");
        }
    }

    static List<Specification> all() throws IOException {
        try (Stream<Path> pages = Files.list(Path.of("src/test/resources/spec"))) {
            List<Specification> all = new ArrayList<>();
            for (Path page : pages.sorted().toList()) {
                all.add(new Specification(page.getFileName().toString(), steps(Files.readAllLines(page))));
            }
            return all;
        }
    }

    private static List<Step> steps(List<String> lines) {
        List<Step> steps = new ArrayList<>();
        boolean answers = false;
        for (String line : lines) {
            if (line.startsWith("> ")) {
                steps.add(new Step(words(line.substring(2)), new ArrayList<>()));
                answers = true;
            } else if (line.isEmpty()) {
                answers = false;
            } else if (answers) {
                steps.get(steps.size() - 1).answer().add(line);
            }
        }
        return steps;
    }

    private static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> word.group(1) != null ? word.group(1) : word.group())
                .toList();
    }
}
