package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
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
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What an application touches says what it is: every public member of a public type has Javadoc. What overrides is
 * described where it comes from, the components of a record by the record, the constants of an enum at least by the enum.
 */
class JavadocTest {
    private static final Path SOURCES = Path.of("src/main/java/bt");
    private static final List<String> PACKAGES =
            List.of("client", "command", "connect", "main/junit", "model", "shell", "shell/terminal", "shell/transfer");

    /** What of bt.main does. */
    private static final String OF_MAIN = "main/MiniBigtable.java";

    /** Of other modules what applications touch, from this one's directory. */
    private static final List<String> ELSEWHERE = List.of(
            "../bt-mapreduce/src/main/java/bt/mapreduce",
            "../bt-mapreduce/src/main/java/bt/mapreduce/input",
            "../bt-mapreduce/src/main/java/bt/mapreduce/output");

    /** What of bt.base comes to an application; the rest of it is ours. */
    private static final List<String> OF_BASE = List.of(
            "Bytes",
            "ByteRange",
            "ByteRanges",
            "BigtableException",
            "CorruptionException",
            "FencedException",
            "OverloadedException",
            "RejectedException",
            "UnavailableException");

    @Test
    void everyPublicMemberOfTheApiHasJavadoc() throws IOException {
        List<Path> sources = new ArrayList<>();
        OF_BASE.forEach(type -> sources.add(SOURCES.resolve("base").resolve(type + ".java")));
        Stream<Path> packages = Stream.concat(
                PACKAGES.stream().map(SOURCES::resolve), ELSEWHERE.stream().map(Path::of));
        sources.add(SOURCES.resolve(OF_MAIN));
        for (Path directory : packages.toList()) {
            try (Stream<Path> files = Files.list(directory)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        Members members = read(sources);
        assertThat(members.silent).isEmpty();
        assertThat(members.count).isGreaterThan(700);
    }

    private static Members read(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
            Members members = new Members(DocTrees.instance(task));
            for (CompilationUnitTree unit : task.parse()) {
                Void unused = members.scan(unit, null);
            }
            return members;
        }
    }

    /** Public types, and what is public in them. */
    private static final class Members extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final DocTrees docs;
        private final List<String> silent = new ArrayList<>();
        private int count;

        Members(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
            // What lies in a type that is not public is not public either.
            if (!isPublic(type.getModifiers())) {
                return null;
            }
            check(type.getSimpleName().toString());
            return super.visitClass(type, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            if (isPublic(method.getModifiers()) && !overrides && !isOfRecord(method)) {
                check(method.getName().toString());
            }
            // Nothing in a method is public.
            return null;
        }

        @Override
        public @Nullable Void visitVariable(VariableTree field, @Nullable Void unused) {
            if (isPublic(field.getModifiers()) && !isConstantOfEnum(field)) {
                check(field.getName().toString());
            }
            return null;
        }

        /** The constructor that checks the components. */
        private boolean isOfRecord(MethodTree method) {
            return type().getKind() == Tree.Kind.RECORD
                    && method.getReturnType() == null
                    && method.getParameters().stream().allMatch(parameter -> type().getMembers().stream()
                            .anyMatch(member -> member instanceof VariableTree field
                                    && field.getName().equals(parameter.getName())));
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
            if (docs.getDocComment(getCurrentPath()) == null) {
                CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
                long line = unit.getLineMap()
                        .getLineNumber(docs.getSourcePositions()
                                .getStartPosition(unit, getCurrentPath().getLeaf()));
                silent.add(Path.of(unit.getSourceFile().getName()).getFileName() + ":" + line + " " + member);
            }
        }
    }
}
