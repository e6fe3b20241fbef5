package bt.testing;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What applications see of the packages that are made for them: the public members of public types. */
public final class PublicTypes {
    private static final Pattern OURS = Pattern.compile("\\bbt\\.(?:[a-z]+\\.)+[A-Z]\\w*");

    private static final Set<String> PACKAGES = Set.of(
            "bt.client",
            "bt.connect",
            "bt.model",
            "bt.main.junit",
            "bt.mapreduce",
            "bt.mapreduce.input",
            "bt.mapreduce.output");

    /** Of other packages what comes to an application. */
    private static final Set<String> TYPES = Set.of(
            "bt.base.Bytes",
            "bt.base.ByteRange",
            "bt.base.ByteRanges",
            "bt.base.BigtableException",
            "bt.base.CorruptionException",
            "bt.base.FencedException",
            "bt.base.MalformedTextException",
            "bt.base.OverloadedException",
            "bt.base.RejectedException",
            "bt.base.UnavailableException",
            "bt.main.MiniBigtable");

    private final List<String> members = new ArrayList<>();

    private PublicTypes() {}

    /** The packages of which all public types are made for applications. */
    public static Set<String> packages() {
        return PACKAGES;
    }

    /** The types of other packages that are. */
    public static Set<String> single() {
        return TYPES;
    }

    /** Of these classes' packages, each of which is named by one class of it. */
    public static PublicTypes ofPackages(Class<?>... onePerPackage)
            throws IOException, URISyntaxException, ClassNotFoundException {
        PublicTypes all = new PublicTypes();
        for (Class<?> one : onePerPackage) {
            Path directory = Path.of(
                            one.getResource(one.getSimpleName() + ".class").toURI())
                    .getParent();
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".class")).toList()) {
                    String name = file.getFileName().toString();
                    all.with(Class.forName(
                            one.getPackageName() + "." + name.substring(0, name.length() - ".class".length())));
                }
            }
        }
        return all;
    }

    /** And of this one. */
    public PublicTypes with(Class<?> type) {
        if (isPublic(type)) {
            Stream.<Executable>concat(Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredConstructors()))
                    .forEach(each -> add(each.getModifiers(), each.toGenericString()));
            for (Field field : type.getDeclaredFields()) {
                add(field.getModifiers(), field.toGenericString());
            }
        }
        return this;
    }

    /** All of them. */
    public List<String> members() {
        return List.copyOf(members);
    }

    /** Those that show a type that is not made for applications, with these types. */
    public Map<String, Set<String>> internal() {
        Map<String, Set<String>> shown = new TreeMap<>();
        for (String member : members) {
            OURS.matcher(member)
                    .results()
                    .map(found -> found.group())
                    .filter(name -> !TYPES.contains(name) && !PACKAGES.contains(packageOf(name)))
                    .forEach(name -> shown.computeIfAbsent(member, first -> new TreeSet<>())
                            .add(name));
        }
        return shown;
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    private void add(int modifiers, String member) {
        if (Modifier.isPublic(modifiers)) {
            members.add(member);
        }
    }

    /** With what it is part of. */
    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
    }
}
