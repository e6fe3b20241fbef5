package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.connect.Connect;
import bt.main.MiniBigtable;
import bt.main.junit.MiniBigtableExtension;
import bt.model.Row;
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
import org.junit.jupiter.api.Test;

/** What an application sees of the packages that are made for it is of these packages too: nothing of the wire or of servers. */
class PublicTypesTest {
    /** One class of each package. */
    private static final List<Class<?>> PACKAGES =
            List.of(Admin.class, Connect.class, Row.class, MiniBigtableExtension.class);

    private static final Pattern OURS = Pattern.compile("\\bbt\\.(?:[a-z]+\\.)+[A-Z]\\w*");

    private static final Set<String> PUBLIC = Set.of("bt.client", "bt.connect", "bt.model", "bt.main.junit");

    /** Of bt.base what comes to an application. */
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

    /** Members that show more than that, by a part of their signatures, and why. */
    private static final Map<String, String> DOORS = Map.of(
            "bt.client.Bigtable bt.client.Bigtable.over(",
            "for who brings network, lock service and threads: bt.connect, and clusters in memory",
            "bt.client.ClusterInfo.read(",
            "for bt.connect",
            "bt.connect.Connect.lockService(",
            "for bt doctor",
            "bt.connect.LocalSecret.read(",
            "for processes of the cluster",
            "bt.base.Slice",
            "of the keys of cells as they lie in files, which servers read",
            "bt.base.Output",
            "which servers write",
            "bt.protocol.PageBounds",
            "how much of a scan is asked for at a time",
            "bt.protocol.RowResume",
            "where in a row a position is: applications keep it encoded");

    @Test
    void showNoTypeThatIsNot() throws Exception {
        Map<String, Set<String>> shown = new TreeMap<>();
        int members = 0;
        for (Class<?> type : types()) {
            for (String member : members(type)) {
                members++;
                Set<String> internal = new TreeSet<>();
                OURS.matcher(member).results().map(found -> found.group()).forEach(name -> {
                    if (!TYPES.contains(name) && !PUBLIC.contains(name.substring(0, name.lastIndexOf('.')))) {
                        internal.add(name);
                    }
                });
                if (!internal.isEmpty()) {
                    shown.put(member, internal);
                }
            }
        }
        assertThat(members).isGreaterThan(600);
        assertThat(DOORS.keySet())
                .allSatisfy(door -> assertThat(shown.keySet()).anyMatch(member -> member.contains(door)));
        shown.keySet().removeIf(member -> DOORS.keySet().stream().anyMatch(member::contains));
        assertThat(shown).isEmpty();
    }

    private static List<String> members(Class<?> type) {
        List<String> members = new ArrayList<>();
        for (Executable each : Stream.<Executable>concat(
                        Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredConstructors()))
                .toList()) {
            add(each.getModifiers(), each.toGenericString(), members);
        }
        for (Field field : type.getDeclaredFields()) {
            add(field.getModifiers(), field.toGenericString(), members);
        }
        return members;
    }

    private static void add(int modifiers, String member, List<String> members) {
        if (Modifier.isPublic(modifiers)) {
            members.add(member);
        }
    }

    /** Those that are public, and what they are part of too. */
    private static List<Class<?>> types() throws IOException, URISyntaxException, ClassNotFoundException {
        List<Class<?>> types = new ArrayList<>(List.of(MiniBigtable.class));
        for (Class<?> one : PACKAGES) {
            Path directory = Path.of(
                            one.getResource(one.getSimpleName() + ".class").toURI())
                    .getParent();
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".class")).toList()) {
                    String name = file.getFileName().toString();
                    Class<?> type = Class.forName(
                            one.getPackageName() + "." + name.substring(0, name.length() - ".class".length()));
                    if (isPublic(type)) {
                        types.add(type);
                    }
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
