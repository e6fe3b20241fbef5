package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an application sees of the library is the library's own and the data model's: no record of the wire. */
class PublicTypesTest {
    @Test
    void noneIsGeneratedForTheWire() throws Exception {
        List<String> seen = new ArrayList<>();
        for (Class<?> type : types()) {
            for (Method method : type.getDeclaredMethods()) {
                add(method.getModifiers(), method.toGenericString(), seen);
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                add(constructor.getModifiers(), constructor.toGenericString(), seen);
            }
            for (Field field : type.getDeclaredFields()) {
                add(field.getModifiers(), field.toGenericString(), seen);
            }
        }

        assertThat(seen).hasSizeGreaterThan(100).noneMatch(member -> member.contains("bt.record."));
    }

    private static void add(int modifiers, String member, List<String> seen) {
        if (Modifier.isPublic(modifiers)) {
            seen.add(member);
        }
    }

    /** Those that are public, and what they are part of too. */
    private static List<Class<?>> types() throws IOException, URISyntaxException, ClassNotFoundException {
        Path directory = Path.of(Admin.class.getResource("Admin.class").toURI()).getParent();
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                String name = file.getFileName().toString();
                Class<?> type = Class.forName("bt.client." + name.substring(0, name.length() - ".class".length()));
                if (isPublic(type)) {
                    types.add(type);
                }
            }
        }
        return types;
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
    }
}
