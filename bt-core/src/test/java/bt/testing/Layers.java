package bt.testing;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The packages of one module and what each may import: the table of docs/ARCHITECTURE.md, held against the classes. Every
 * question answers with the violations, so an empty set is the law kept. Packages that are not written yet break nothing.
 */
public final class Layers {
    private static final Set<String> SHAPELESS =
            Set.of("util", "utils", "common", "impl", "internal", "helper", "helpers", "manager", "managers");

    /** Whose values people and programs make who are not of the cluster. */
    private static final Set<String> OF_CALLERS =
            Set.of("bt.model", "bt.client", "bt.connect", "bt.shell", "bt.shell.terminal", "bt.shell.transfer");

    /** Made by servers of what has been judged before. */
    private static final Set<String> OF_SERVERS = Set.of("bt.model.CellKey");

    private static final Set<String> ADVICELESS =
            Set.of("bt.base.Check.checkArgument", "java.lang.IllegalArgumentException.<init>");

    private final JavaClasses classes;
    private final Map<String, Set<String>> mayImport;

    private Layers(JavaClasses classes, Map<String, Set<String>> mayImport) {
        this.classes = classes;
        this.mayImport = mayImport;
    }

    /** The main classes of the module that {@code test} belongs to; test classes have no layer. */
    public static Table of(Class<?> test) {
        try {
            Path testClasses = Path.of(
                    test.getProtectionDomain().getCodeSource().getLocation().toURI());
            return new Table(new ClassFileImporter().importPath(testClasses.resolveSibling("classes")));
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The rows of the table, written from the lowest layer upward. */
    public static final class Table {
        private final JavaClasses classes;
        private final Map<String, Set<String>> mayImport = new TreeMap<>();

        private Table(JavaClasses classes) {
            this.classes = classes;
        }

        /** Names a package and all that it may import of ours. A trailing {@code ..} takes the packages below as well. */
        public Table row(String name, String... imports) {
            if (mayImport.put(name, Set.of(imports)) != null) {
                throw new IllegalArgumentException("two rows for " + name);
            }
            return this;
        }

        public Layers build() {
            return new Layers(classes, mayImport);
        }
    }

    public Set<String> unknownPackages() {
        Set<String> unknown = packages().collect(Collectors.toCollection(TreeSet::new));
        unknown.removeAll(mayImport.keySet());
        return unknown;
    }

    public Set<String> shapelessPackages() {
        return packages()
                .filter(name -> Stream.of(name.split("\\.")).anyMatch(SHAPELESS::contains))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public Set<String> forbiddenImports() {
        return violations(dependency -> {
            String from = dependency.getOriginClass().getPackageName();
            String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
            boolean ours = to.equals("bt") || to.startsWith("bt.");
            return ours && !to.equals(from) && !allowed(mayImport.getOrDefault(from, Set.of()), to);
        });
    }

    /** Imports of a library by a package other than its adapter. */
    public Set<String> importsOutside(String adapter, String... libraries) {
        return violations(dependency ->
                !dependency.getOriginClass().getPackageName().equals(adapter) && targets(dependency, libraries));
    }

    /** The packages that import a library, if there is more than one: which one adapts it is then undecided. */
    public Set<String> importersBesideOne(String... libraries) {
        Set<String> importers = classes.stream()
                .filter(c -> c.getDirectDependenciesFromSelf().stream().anyMatch(d -> targets(d, libraries)))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        return importers.size() > 1 ? importers : Set.of();
    }

    /** Reads of the machine's time, sleeps and threads outside the one package that owns them. */
    public Set<String> timeAndThreadsOutside(String owner) {
        Set<String> broken = new TreeSet<>();
        for (JavaClass c : classes) {
            if (!c.getPackageName().equals(owner)) {
                c.getCodeUnitAccessesFromSelf().stream()
                        .filter(access -> isTimeOrThread(access.getTarget()))
                        .forEach(access -> broken.add(access.getDescription()));
            }
        }
        return broken;
    }

    /** Where those who give a value are told that it cannot be, and not what to do: what they call makes values of theirs. */
    public Set<String> refusalsWithoutAdvice() {
        Set<String> broken = new TreeSet<>();
        for (JavaClass c : classes) {
            if (OF_CALLERS.contains(c.getPackageName())
                    && !OF_SERVERS.contains(c.getName())
                    && !c.isAssignableTo(IllegalArgumentException.class)) {
                c.getCodeUnitAccessesFromSelf().stream()
                        .filter(access -> ADVICELESS.contains(nameOf(access.getTarget())))
                        .forEach(access -> broken.add(access.getDescription()));
            }
            broken.addAll(refusalsByKind(c));
        }
        return broken;
    }

    /** Of a kind that came from elsewhere any message is made; whoever refuses himself has a constructor that asks for the advice. */
    private static Set<String> refusalsByKind(JavaClass c) {
        Set<String> makers = c.getCodeUnitAccessesFromSelf().stream()
                .filter(access -> nameOf(access.getTarget()).equals("bt.base.BigtableException.of"))
                .map(access -> access.getOrigin().getFullName())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> naming = c.getFieldAccessesFromSelf().stream()
                .filter(access -> nameOf(access.getTarget()).equals("bt.base.BigtableException$Kind.REJECTED"))
                .map(access -> access.getOrigin().getFullName())
                .collect(Collectors.toCollection(TreeSet::new));
        makers.retainAll(naming);
        return makers;
    }

    /** Packages that reach themselves, in the classes and, which would permit it, in the table. */
    public Set<String> cycles() {
        Map<String, Set<String>> imports = new TreeMap<>();
        for (JavaClass c : classes) {
            Set<String> targets = imports.computeIfAbsent(c.getPackageName(), name -> new TreeSet<>());
            c.getDirectDependenciesFromSelf().stream()
                    .map(d -> d.getTargetClass().getBaseComponentType().getPackageName())
                    .filter(to -> !to.equals(c.getPackageName()))
                    .forEach(targets::add);
        }
        Set<String> cyclic = new TreeSet<>(reachingThemselves(imports));
        cyclic.addAll(reachingThemselves(mayImport));
        return cyclic;
    }

    private Stream<String> packages() {
        return classes.stream().map(JavaClass::getPackageName).distinct();
    }

    private Set<String> violations(Function<Dependency, Boolean> forbidden) {
        return classes.stream()
                .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
                .filter(forbidden::apply)
                .map(Dependency::getDescription)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean allowed(Collection<String> patterns, String name) {
        return patterns.stream()
                .anyMatch(pattern -> pattern.endsWith("..")
                        ? (name + ".").startsWith(pattern.substring(0, pattern.length() - 1))
                        : name.equals(pattern));
    }

    private static boolean targets(Dependency dependency, String... libraries) {
        String to = dependency.getTargetClass().getBaseComponentType().getPackageName() + ".";
        return Stream.of(libraries).anyMatch(library -> to.startsWith(library + "."));
    }

    private static String nameOf(AccessTarget target) {
        return target.getOwner().getName() + "." + target.getName();
    }

    private static boolean isTimeOrThread(AccessTarget target) {
        String name = nameOf(target);
        return name.equals("java.lang.System.currentTimeMillis")
                || name.equals("java.lang.System.nanoTime")
                || name.equals("java.lang.Thread.sleep")
                || name.equals("java.lang.Thread.<init>");
    }

    private static Set<String> reachingThemselves(Map<String, Set<String>> imports) {
        Set<String> cyclic = new TreeSet<>();
        for (String start : imports.keySet()) {
            Set<String> seen = new TreeSet<>();
            List<String> open = new ArrayList<>(imports.get(start));
            while (!open.isEmpty()) {
                String next = open.remove(open.size() - 1);
                if (seen.add(next)) {
                    open.addAll(imports.getOrDefault(next, Set.of()));
                }
            }
            if (seen.contains(start)) {
                cyclic.add(start);
            }
        }
        return cyclic;
    }
}
