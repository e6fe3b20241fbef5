package bt.scripting.gate;

import bt.scripting.dsl.Arithmetic;
import bt.scripting.dsl.Containers;
import bt.scripting.dsl.DeclaredTypes;
import bt.scripting.dsl.MathWords;
import bt.scripting.dsl.Meter;
import bt.scripting.dsl.Operators;
import bt.scripting.dsl.PropertyWords;
import bt.scripting.dsl.TextWords;
import bt.scripting.dsl.ValueWords;
import groovyjarjarasm.asm.Type;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of one sort and the methods that stand for them. A word is known by its name and by how many values it takes,
 * the one before the dot included.
 */
final class WordTable {
    static final WordTable METHODS = of(ValueWords.class, TextWords.class);
    static final WordTable MATH = of(MathWords.class);
    static final WordTable PROPERTIES = of(PropertyWords.class);

    /** What operators, literals, declarations and loops become; no script can name these. */
    static final WordTable BUILT_IN =
            of(Operators.class, Arithmetic.class, Containers.class, DeclaredTypes.class, Meter.class);

    private final Map<String, Method> methods;

    private WordTable(Map<String, Method> methods) {
        this.methods = methods;
    }

    private static WordTable of(Class<?>... classes) {
        return new WordTable(Arrays.stream(classes)
                .flatMap(words -> Arrays.stream(words.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .collect(Collectors.toUnmodifiableMap(m -> key(m.getName(), m.getParameterCount() - 1), m -> m)));
    }

    Optional<Method> find(String name, int values) {
        return Optional.ofNullable(methods.get(key(name, values)));
    }

    boolean knows(String name) {
        return methods.values().stream().anyMatch(method -> method.getName().equals(name));
    }

    String names() {
        return methods.values().stream()
                .map(Method::getName)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    static boolean isWord(String owner, String name, String descriptor) {
        return Stream.of(METHODS, MATH, PROPERTIES, BUILT_IN)
                .flatMap(table -> table.methods.values().stream())
                .anyMatch(method -> method.getName().equals(name)
                        && Type.getInternalName(method.getDeclaringClass()).equals(owner)
                        && Type.getMethodDescriptor(method).equals(descriptor));
    }

    /** The classes whose static methods are words. */
    static List<Class<?>> classes() {
        return Stream.of(METHODS, MATH, PROPERTIES, BUILT_IN)
                .flatMap(table -> table.methods.values().stream())
                .<Class<?>>map(Method::getDeclaringClass)
                .distinct()
                .toList();
    }

    private static String key(String name, int values) {
        return name + "/" + values;
    }
}
