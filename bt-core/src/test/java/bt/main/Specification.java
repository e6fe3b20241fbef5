package bt.main;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of {@code src/test/resources/spec}: what the data model means, as command lines of {@code bt}, or calls of {@link
 * SpecificationCalls}, and their answers. A
 * line that begins with {@code >} is a command, whose words may stand in double quotes; with {@code as USER} before it, it is
 * that user's, otherwise the cluster's own. The lines behind it are its answer, the fields parted by bars, or {@code
 * (nothing)}, or {@code !} and a part of the line that refuses it; one that begins with {@code ~} is a part of what is told
 * beside the data; how far an operation is, which is told as often as it changes, is left out. {@code {x*N}} is N times x,
 * {@code {dropped:TABLE}} the id of the first table of that name that was dropped and can come back. What stands apart between them is for the reader. Every section keeps to rows
 * or tables of its own, so that whatever is read can be read again later.
 */
record Specification(String topic, List<Step> steps) {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|\\S+");
    private static final Pattern REPEATED = Pattern.compile("\\{(\\S+?)\\*([0-9]+)}");
    private static final Set<String> READS = Set.of("get", "scan", "count");
    private static final String REFUSED = "! ";
    private static final String TOLD = "~ ";

    /** A command, whose it is, and what it comes to. */
    record Step(Optional<String> user, List<String> words, List<String> lines) {
        boolean isRead() {
            return READS.contains(words.get(0));
        }

        /** A part of the line that refuses it, if it is refused. */
        Optional<String> refusal() {
            return starting(REFUSED).findFirst();
        }

        /** Parts of the lines that are told beside the data. */
        List<String> told() {
            return starting(TOLD).toList();
        }

        /** The data. */
        List<String> answer() {
            return lines.stream()
                    .filter(line -> !line.startsWith(REFUSED) && !line.startsWith(TOLD))
                    .toList();
        }

        private Stream<String> starting(String mark) {
            return lines.stream().filter(line -> line.startsWith(mark)).map(line -> line.substring(mark.length()));
        }
    }

    static List<Specification> all() throws IOException {
        try (Stream<Path> pages = Files.list(Path.of("../bt-core/src/test/resources/spec"))) {
            List<Specification> all = new ArrayList<>();
            for (Path page : pages.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList()) {
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
                steps.add(step(words(line.substring(2))));
                answers = true;
            } else if (line.isEmpty()) {
                answers = false;
            } else if (answers) {
                steps.get(steps.size() - 1).lines().add(repeated(line));
            }
        }
        return steps;
    }

    private static Step step(List<String> words) {
        return words.get(0).equals("as")
                ? new Step(Optional.of(words.get(1)), words.subList(2, words.size()), new ArrayList<>())
                : new Step(Optional.empty(), words, new ArrayList<>());
    }

    private static String repeated(String text) {
        return REPEATED.matcher(text)
                .replaceAll(part -> Matcher.quoteReplacement(part.group(1).repeat(Integer.parseInt(part.group(2)))));
    }

    private static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> repeated(word.group(1) != null ? word.group(1) : word.group()))
                .toList();
    }
}
