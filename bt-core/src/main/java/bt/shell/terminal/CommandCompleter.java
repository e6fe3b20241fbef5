package bt.shell.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What a word may become: a command, an option, or what help's name for the value says: a table, a family, a server. */
final class CommandCompleter implements Completer {
    private final CommandSpec root;
    private final Names names;

    CommandCompleter(CommandSpec root, Names names) {
        this.root = root;
        this.names = names;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        candidates.addAll(candidates(line.words().subList(0, line.wordIndex()), line.word()));
    }

    /** For a word behind others, of which this much is there. */
    List<Candidate> candidates(List<String> before, String word) {
        Place place = Place.after(root, before);
        if (word.startsWith("-") && !place.isOptionValue()) {
            // As in --families=anchor.
            int valueFrom = word.indexOf('=') + 1;
            return valueFrom > 0
                    ? listed(place.valueOf(word.substring(0, valueFrom - 1)), word, valueFrom)
                    : options(place.command());
        }
        List<Candidate> candidates = new ArrayList<>(listed(place, word, 0));
        if (!place.isOptionValue() && place.table().isEmpty()) {
            candidates.addAll(commands(place.command()));
        }
        return candidates;
    }

    /** For the value that begins there in the word; of a list with commas for the last that is begun. */
    private List<Candidate> listed(Place place, String word, int valueFrom) {
        int from = place.isList() ? Math.max(valueFrom, word.lastIndexOf(',') + 1) : valueFrom;
        String before = word.substring(0, from);
        return values(place, word.substring(from)).stream()
                .map(value -> from == 0
                        ? value
                        : new Candidate(
                                before + value.value(), value.value(), null, null, null, null, value.complete()))
                .toList();
    }

    private List<Candidate> values(Place place, String word) {
        String label = place.label();
        if (label.startsWith("FAMILY")) {
            List<String> families = place.table().map(names::families).orElse(List.of());
            return label.equals("FAMILY") ? whole(families) : begun(families, label.equals("FAMILY:QUALIFIER"));
        }
        return switch (label) {
            case "TABLE" -> whole(names.tables());
            case "TABLE[:FAMILY]" -> tablesOrFamilies(word);
            case "DROPPED-TABLE" -> whole(names.droppedTables());
            case "SERVER" -> whole(names.servers());
            case "COMMAND" -> commands(root);
            default -> choices(place);
        };
    }

    /** Families with their table once that is there, with the colon behind it. */
    private List<Candidate> tablesOrFamilies(String word) {
        int colon = word.indexOf(':');
        if (colon < 0) {
            return whole(names.tables());
        }
        String table = word.substring(0, colon);
        return whole(names.families(table).stream()
                .map(family -> table + ":" + family)
                .toList());
    }

    /** What the value's type allows, where that is a few words. */
    private static List<Candidate> choices(Place place) {
        return place.argument().stream()
                .filter(argument -> argument.completionCandidates() != null)
                .flatMap(argument -> {
                    List<String> words = new ArrayList<>();
                    argument.completionCandidates().forEach(words::add);
                    return whole(words).stream();
                })
                .toList();
    }

    private static List<Candidate> commands(CommandSpec command) {
        return command.subcommands().entrySet().stream()
                .map(entry -> described(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Candidate described(String name, CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        return new Candidate(name, name, null, description.length == 0 ? null : description[0], null, null, true);
    }

    private static List<Candidate> options(CommandSpec command) {
        return command.options().stream()
                .filter(option -> !option.hidden())
                .flatMap(CommandCompleter::names)
                .toList();
    }

    private static Stream<Candidate> names(OptionSpec option) {
        return Stream.of(option.names()).map(Candidate::new);
    }

    private static List<Candidate> whole(List<String> words) {
        return words.stream().map(Candidate::new).toList();
    }

    /** Words that go on without a blank. */
    private static List<Candidate> begun(List<String> families, boolean withColon) {
        return families.stream()
                .map(family -> withColon ? family + ":" : family)
                .map(word -> new Candidate(word, word, null, null, null, null, false))
                .toList();
    }
}
