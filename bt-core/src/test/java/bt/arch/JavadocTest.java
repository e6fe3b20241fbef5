package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.PublicTypes;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What an application touches says what it is: every public member of a public type has Javadoc. What overrides is
 * described where it comes from, the components of a record by the record, the constants of an enum at least by the enum.
 * Every type says too which section of the paper it comes from, or that the paper has no such thing; what throws says with
 * what, and what takes or tells how long or how large something is, in which unit: in its own words or in those of its type.
 */
class JavadocTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path OF_JOBS = Path.of("../bt-mapreduce/src/main/java");

    /** What makes commands, or is typed: beside what {@link PublicTypes} knows applications to compile with. */
    private static final List<String> COMMANDS =
            List.of("bt.command", "bt.shell", "bt.shell.terminal", "bt.shell.transfer");

    private static final Pattern CITED = Pattern.compile("(?i)\\b(section|figure|table)s? (\\d+(?:\\.\\d)?)");
    private static final Pattern NOT_IN_THE_PAPER = Pattern.compile("[Tt]he paper has no");

    /** Of the paper what there is to cite. */
    private static final Map<String, Set<String>> PAPER = Map.of(
            "section",
            Set.of(
                    "1", "2", "3", "4", "5", "5.1", "5.2", "5.3", "5.4", "6", "7", "8", "8.1", "8.2", "8.3", "9", "10",
                    "11"),
            "figure",
            Set.of("1", "2", "3", "4", "5", "6", "7"),
            "table",
            Set.of("1", "2"));

    /** The kinds, or an exception by its name. */
    private static final Pattern FAILURE =
            Pattern.compile("\\b(?:CORRUPTION|UNAVAILABLE|OVERLOADED|REJECTED|FENCED|\\w+Exception)\\b|@throws");

    private static final Pattern UNIT = Pattern.compile(
            "(?i)(?:milli|micro|nano)(?:s\\b|second)|\\bseconds?\\b|\\bminutes?\\b|bytes?|\\bms\\b|[KMG]i?B\\b");

    /** What a number is called that is nothing without its unit. */
    private static final Pattern MEASURE = Pattern.compile(
            "[tT]ime(?!s)|[dD]uration|[dD]elay|[pP]ause|(?:^w|W)ait|[sS]ince|^came|(?:^a|A)ge(?![a-z])|[sS]ize|[lL]ength");

    private static Members members = new Members();

    @BeforeAll
    static void read() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String type : PublicTypes.single()) {
            sources.add(SOURCES.resolve(type.replace('.', '/') + ".java"));
        }
        for (String name : Stream.concat(PublicTypes.packages().stream(), COMMANDS.stream())
                .sorted()
                .toList()) {
            Path root = name.startsWith("bt.mapreduce") ? OF_JOBS : SOURCES;
            try (Stream<Path> files = Files.list(root.resolve(name.replace('.', '/')))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        members = read(sources);
    }

    @Test
    void everyPublicMemberOfTheApiHasJavadoc() {
        assertThat(members.silent).isEmpty();
        assertThat(members.count).isGreaterThan(700);
    }

    /** What a whole package has nothing of in the paper its package-info may say for all its types. */
    @Test
    void everyPublicTypeNamesItsSectionOfThePaperOrSaysThatThereIsNone() {
        assertThat(members.withoutSection).isEmpty();
        assertThat(members.types).isGreaterThan(140);
        assertThat(members.cited).isGreaterThan(60);
    }

    @Test
    void whatIsCitedOfThePaperIsThere() {
        assertThat(members.citedInVain).isEmpty();
    }

    @Test
    void whatThrowsSaysWithWhat() {
        assertThat(members.withoutFailure).isEmpty();
        assertThat(members.throwing).isGreaterThan(110);
    }

    @Test
    void howLongAndHowLargeHaveUnits() {
        assertThat(members.withoutUnit).isEmpty();
        assertThat(members.measured).isGreaterThan(30);
    }

    private static Members read(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
            Members found = new Members(DocTrees.instance(task));
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            units.forEach(found::learnPackage);
            for (CompilationUnitTree unit : units) {
                Void unused = found.scan(unit, null);
            }
            return found;
        }
    }

    /** Public types, and what is public in them. */
    private static final class Members extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final Optional<DocTrees> trees;
        private final Map<String, String> packages = new HashMap<>();
        private final List<String> silent = new ArrayList<>();
        private final List<String> withoutSection = new ArrayList<>();
        private final List<String> citedInVain = new ArrayList<>();
        private final List<String> withoutFailure = new ArrayList<>();
        private final List<String> withoutUnit = new ArrayList<>();
        private int count;
        private int types;
        private int cited;
        private int throwing;
        private int measured;

        /** Of nothing yet. */
        Members() {
            trees = Optional.empty();
        }

        Members(DocTrees trees) {
            this.trees = Optional.of(trees);
        }

        void learnPackage(CompilationUnitTree unit) {
            if (unit.getSourceFile().getName().endsWith("package-info.java")) {
                TreePath path = new TreePath(new TreePath(unit), unit.getPackage());
                packages.put(unit.getPackageName().toString(), text(path));
            }
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
            // What lies in a type that is not public is not public either.
            if (!isPublic(type.getModifiers())) {
                return null;
            }
            String name = type.getSimpleName().toString();
            check(name);
            if (getCurrentPath().getParentPath().getLeaf() instanceof CompilationUnitTree) {
                checkSection(name);
            }
            return super.visitClass(type, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            if (isPublic(method.getModifiers()) && !overrides && !isOfRecord(method)) {
                check(method.getName().toString());
                checkCited();
                checkFailures(method);
                method.getParameters().forEach(parameter -> checkUnit(parameter.getType(), parameter.getName()));
                checkUnit(method.getReturnType(), method.getName());
            }
            // Nothing in a method is public.
            return null;
        }

        @Override
        public @Nullable Void visitVariable(VariableTree field, @Nullable Void unused) {
            if (!(getCurrentPath().getParentPath().getLeaf() instanceof ClassTree)) {
                // Of a block.
                return null;
            }
            if (isPublic(field.getModifiers()) && !isConstantOfEnum(field)) {
                check(field.getName().toString());
                checkUnit(field.getType(), field.getName());
            } else if (isComponent(field)) {
                checkUnit(field.getType(), field.getName());
            }
            return null;
        }

        private void checkSection(String type) {
            types++;
            String own = text(getCurrentPath());
            String all = packages.getOrDefault(
                    getCurrentPath().getCompilationUnit().getPackageName().toString(), "");
            boolean cites = CITED.matcher(own).find();
            if (cites) {
                cited++;
            } else if (!NOT_IN_THE_PAPER.matcher(own).find()
                    && !NOT_IN_THE_PAPER.matcher(all).find()) {
                withoutSection.add(at(type));
            }
            checkCited();
        }

        private void checkCited() {
            for (MatchResult each :
                    CITED.matcher(text(getCurrentPath())).results().toList()) {
                Set<String> there = PAPER.getOrDefault(each.group(1).toLowerCase(java.util.Locale.ROOT), Set.of());
                if (!there.contains(each.group(2))) {
                    citedInVain.add(at(each.group()));
                }
            }
        }

        /** What a type parameter stands for is said where it is given. */
        private void checkFailures(MethodTree method) {
            List<String> parameters = method.getTypeParameters().stream()
                    .map(each -> each.getName().toString())
                    .toList();
            List<String> thrown = method.getThrows().stream()
                    .map(ExpressionTree::toString)
                    .filter(each -> !parameters.contains(each) && each.endsWith("Exception"))
                    .toList();
            if (!thrown.isEmpty()) {
                throwing++;
                if (!FAILURE.matcher(textOfAll()).find()) {
                    withoutFailure.add(at(method.getName() + " throws " + thrown));
                }
            }
        }

        private void checkUnit(@Nullable Tree type, CharSequence name) {
            if (type == null
                    || !Set.of("int", "long", "double", "OptionalLong", "OptionalInt")
                            .contains(type.toString())) {
                return;
            }
            boolean isMeasure = MEASURE.matcher(name).find();
            if (isMeasure || UNIT.matcher(name).find()) {
                measured++;
            }
            if (isMeasure
                    && !UNIT.matcher(name).find()
                    && !UNIT.matcher(textOfAll()).find()) {
                withoutUnit.add(at(name.toString()));
            }
        }

        /** The constructor that checks the components. */
        private boolean isOfRecord(MethodTree method) {
            return type().getKind() == Tree.Kind.RECORD
                    && method.getReturnType() == null
                    && method.getParameters().stream().allMatch(parameter -> type().getMembers().stream()
                            .anyMatch(member -> member instanceof VariableTree field
                                    && field.getName().equals(parameter.getName())));
        }

        private boolean isComponent(VariableTree field) {
            return type().getKind() == Tree.Kind.RECORD
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC);
        }

        private boolean isConstantOfEnum(VariableTree field) {
            return type().getKind() == Tree.Kind.ENUM
                    && field.getType().toString().equals(type().getSimpleName().toString());
        }

        private boolean isPublic(ModifiersTree modifiers) {
            return modifiers.getFlags().contains(Modifier.PUBLIC)
                    || (isInInterface() && !modifiers.getFlags().contains(Modifier.PRIVATE));
        }

        private boolean isInInterface() {
            TreePath parent = getCurrentPath().getParentPath();
            return parent.getLeaf().getKind() == Tree.Kind.INTERFACE;
        }

        private ClassTree type() {
            return (ClassTree) getCurrentPath().getParentPath().getLeaf();
        }

        private void check(String member) {
            count++;
            if (text(getCurrentPath()).isEmpty()) {
                silent.add(at(member));
            }
        }

        private String at(String what) {
            CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
            long line = unit.getLineMap()
                    .getLineNumber(trees.orElseThrow()
                            .getSourcePositions()
                            .getStartPosition(unit, getCurrentPath().getLeaf()));
            return Path.of(unit.getSourceFile().getName()).getFileName() + ":" + line + " " + what;
        }

        /** What is said here, and of the types in which this lies. */
        private String textOfAll() {
            StringBuilder all = new StringBuilder();
            for (TreePath path = getCurrentPath(); path != null; path = path.getParentPath()) {
                all.append(text(path)).append(' ');
            }
            return all.toString();
        }

        /** On one line; nothing where nothing is said. */
        private String text(TreePath path) {
            String comment = trees.orElseThrow().getDocComment(path);
            return comment == null ? "" : comment.strip().replaceAll("\\s+", " ");
        }
    }
}
