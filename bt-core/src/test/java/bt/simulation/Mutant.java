package bt.simulation;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Our code with one mistake in one method. It exists as class files in a directory of its own, which comes before the
 * real ones on the class path of a process that lives with it.
 *
 * @param source the source file below src/main/java
 * @param right what stands in it, just once
 * @param wrong what the mutant has instead
 * @param script in which the mistake has a chance to matter
 */
record Mutant(String name, String source, String right, String wrong, Script script) {
    private static final Path SOURCES = Path.of("src/main/java");

    /** The source with the mistake in it. */
    String mutated() throws IOException {
        String text = Files.readString(SOURCES.resolve(source));
        int at = text.indexOf(right);
        if (at < 0 || text.indexOf(right, at + 1) >= 0) {
            throw new AssertionError("mutant \"" + name + "\": " + source + " has not just once: " + right);
        }
        return text.replace(right, wrong);
    }

    /** Compiles mutants of different sources. */
    static void compile(Collection<Mutant> mutants, Path target, String classPath) throws IOException {
        List<Path> mutated = new ArrayList<>();
        for (Mutant mutant : mutants) {
            Path file = target.resolve("source").resolve(mutant.source);
            Files.createDirectories(file.getParent());
            mutated.add(Files.writeString(file, mutant.mutated()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", target.toString(), "-cp", classPath, "-proc:none", "-nowarn", "-Xlint:none");
            boolean compiled = compiler.getTask(
                            complaints, files, null, options, null, files.getJavaFileObjectsFromPaths(mutated))
                    .call();
            if (!compiled) {
                List<String> names = mutants.stream().map(Mutant::name).toList();
                throw new AssertionError("of the mutants " + names + " one does not compile:\n" + complaints);
            }
        }
    }
}
