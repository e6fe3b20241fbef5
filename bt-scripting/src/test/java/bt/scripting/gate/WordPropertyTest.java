package bt.scripting.gate;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Clock;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.script.ScriptBudget;
import bt.scripting.dsl.ArgumentWords;
import bt.scripting.dsl.CellWords;
import bt.scripting.dsl.Meter;
import bt.scripting.dsl.ScriptFailure;
import bt.testing.SeededTest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A word answers any values with a value of a script's kinds, or with a failure that says what it wanted. */
class WordPropertyTest {
    private static final ScriptBudget BUDGET = new ScriptBudget(10_000_000_000L, 1L << 30);

    @SeededTest(runs = 300)
    void anyWordTakesAnyValues(RandomGenerator random) throws IllegalAccessException {
        for (Class<?> words : WordTable.classes()) {
            for (Method word : words.getMethods()) {
                if (word.getDeclaringClass() == words && Modifier.isStatic(word.getModifiers())) {
                    call(word, random);
                }
            }
        }
    }

    private static void call(Method word, RandomGenerator random) throws IllegalAccessException {
        Meter meter = new Meter(BUDGET, Clock.system(), () -> 0);
        meter.begin(0);
        Object[] values = new Object[word.getParameterCount()];
        values[0] = meter;
        for (int i = 1; i < values.length; i++) {
            Class<?> type = word.getParameterTypes()[i];
            if (type == int.class) {
                values[i] = random.nextInt();
            } else {
                values[i] = type.isArray()
                        ? new @Nullable Object[] {value(random, false), value(random, false)}
                        : value(random, true);
            }
        }
        try {
            Object result = word.invoke(null, values);
            assertThat(isKnown(result))
                    .as("%s%s = %s", word, Arrays.asList(values), result)
                    .isTrue();
        } catch (InvocationTargetException e) {
            assertThat(e.getCause())
                    .as("%s%s", word, Arrays.asList(values))
                    .isInstanceOf(ScriptFailure.class)
                    .hasMessageNotContaining("null is");
        }
    }

    private static boolean isKnown(@Nullable Object result) {
        return result == null
                || result instanceof Boolean
                || result instanceof Long
                || result instanceof Double
                || result instanceof String
                || result instanceof Bytes
                || result instanceof List
                || result instanceof Map;
    }

    private static @Nullable Object value(RandomGenerator random, boolean nested) {
        return switch (random.nextInt(nested ? 11 : 7)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> (long) random.nextInt(-3, 9);
            case 3 -> new long[] {Long.MIN_VALUE, Long.MAX_VALUE, -1, 1L << 40}[random.nextInt(4)];
            case 4 -> new double[] {0, -0.0, 1.5, Double.NaN, Double.NEGATIVE_INFINITY, 1e300}[random.nextInt(6)];
            case 5 -> new String[] {"", "a", "7", " 1e9 ", "aXbXc", "ŉß", "a".repeat(5000)}[random.nextInt(7)];
            case 6 -> Bytes.utf8("ab".repeat(random.nextInt(3)));
            case 7 -> list(random);
            case 8 -> map(random);
            case 9 -> new CellWords(new Cell(Bytes.utf8("r"), ColumnKey.of("f", "q"), 1, Bytes.utf8("v")));
            default -> ArgumentWords.of(Bytes.utf8("argument"));
        };
    }

    private static List<@Nullable Object> list(RandomGenerator random) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(value(random, false));
        }
        return list;
    }

    private static Map<@Nullable Object, @Nullable Object> map(RandomGenerator random) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(value(random, false), value(random, false));
        }
        return map;
    }
}
