package bt.scripting.gate;

import bt.scripting.dsl.CellFilter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Loads one compiled script, and lets it see the words and what their signatures name: whatever else a class may refer
 * to, it cannot be linked. One loader for each script, so that a script which nobody uses any more is collected.
 */
final class ScriptLoader extends ClassLoader {
    private static final Map<String, Class<?>> VISIBLE = Stream.concat(
                    WordTable.classes().stream().flatMap(words -> Stream.concat(Stream.of(words), signatures(words))),
                    Stream.of(
                            CellFilter.class,
                            Object.class,
                            String.class,
                            Boolean.class,
                            Long.class,
                            Double.class,
                            List.class,
                            Iterator.class))
            .distinct()
            .collect(Collectors.toUnmodifiableMap(Class::getName, type -> type));

    ScriptLoader() {
        super("bt-script", null);
    }

    Class<? extends CellFilter> define(String name, byte[] bytes) {
        return defineClass(name, bytes, 0, bytes.length).asSubclass(CellFilter.class);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> visible = VISIBLE.get(name);
        if (visible != null) {
            return visible;
        }
        Class<?> own = findLoadedClass(name);
        if (own == null) {
            throw new ClassNotFoundException(name + " is hidden from scripts");
        }
        return own;
    }

    private static Stream<Class<?>> signatures(Class<?> words) {
        return Arrays.stream(words.getMethods())
                .filter(method -> method.getDeclaringClass() == words)
                .flatMap(method ->
                        Stream.concat(Stream.of(method.getReturnType()), Arrays.stream(method.getParameterTypes())))
                .filter(type -> !type.isPrimitive() && !type.isArray());
    }
}
