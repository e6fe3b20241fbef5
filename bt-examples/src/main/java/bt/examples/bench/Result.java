package bt.examples.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/** What one system did at one workload. A figure that does not apply is absent. */
public record Result(String name, String system, Map<Figure, Double> figures) {
    public Result {
        EnumMap<Figure, Double> sorted = new EnumMap<>(Figure.class);
        sorted.putAll(figures);
        figures = Collections.unmodifiableMap(sorted);
    }

    public static Result of(String name, String system) {
        return new Result(name, system, Map.of());
    }

    public Result with(Figure figure, double value) {
        EnumMap<Figure, Double> more = new EnumMap<>(Figure.class);
        more.putAll(figures);
        more.put(figure, value);
        return new Result(name, system, more);
    }

    public OptionalDouble figure(Figure figure) {
        Double value = figures.get(figure);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
