package bt.examples.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** All that one run of a bench found, where, and what it had been asked for. */
public record Report(String bench, Machine machine, Map<String, Object> options, List<Result> results) {
    private static final int NAME_WIDTH = 16;
    private static final int SYSTEM_WIDTH = 10;
    private static final int FIGURE_WIDTH = 13;

    public Report {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        results = List.copyOf(results);
    }

    /** Of a bench whose results tell all of it. */
    public Report(String bench, Machine machine, List<Result> results) {
        this(bench, machine, Map.of(), results);
    }

    /** {@code {"bench": …, "machine": …, "options": …, "results": […]}}, without options where there are none. */
    public String json() throws JsonProcessingException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("bench", bench);
        document.put("machine", machine.fields());
        if (!options.isEmpty()) {
            document.put("options", options);
        }
        document.put("results", results.stream().map(Report::fields).toList());
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    private static Map<String, Object> fields(Result result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", result.name());
        fields.put("system", result.system());
        result.figures().forEach((figure, value) -> fields.put(figure.json(), number(figure, value)));
        return fields;
    }

    /** A count is a whole number. */
    private static Number number(Figure figure, double value) {
        boolean whole = figure.decimals() == 0 && value == Math.rint(value);
        return whole ? (Number) Math.round(value) : (Number) value;
    }

    /** One line for each result, one column for each figure that any of them has. */
    public String table() {
        List<Figure> columns = Stream.of(Figure.values())
                .filter(figure -> results.stream()
                        .anyMatch(result -> result.figure(figure).isPresent()))
                .toList();
        int width =
                results.stream().mapToInt(result -> result.name().length() + 2).reduce(NAME_WIDTH, Math::max);
        List<String> lines = new ArrayList<>();
        lines.add(line(width, "", "", columns.stream().map(Figure::heading).toList()));
        for (Result result : results) {
            lines.add(line(
                    width,
                    result.name(),
                    result.system(),
                    columns.stream().map(column -> cell(result, column)).toList()));
        }
        return String.join("\n", lines);
    }

    private static String line(int width, String name, String system, List<String> cells) {
        StringBuilder line = new StringBuilder();
        line.append(String.format(Locale.ROOT, "%-" + width + "s%-" + SYSTEM_WIDTH + "s", name, system));
        cells.forEach(cell -> line.append(String.format(Locale.ROOT, "%" + FIGURE_WIDTH + "s", cell)));
        return line.toString().stripTrailing();
    }

    private static String cell(Result result, Figure figure) {
        return result.figure(figure).isPresent()
                ? String.format(
                        Locale.ROOT,
                        "%,." + figure.decimals() + "f",
                        result.figure(figure).getAsDouble())
                : "";
    }
}
