package bt.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts programs of ours in a JVM of their own, with the class path of the tests. */
public final class OwnJvm {
    public static final String SAID = "said";

    private OwnJvm() {}

    /** What the tests run with. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /**
     * Whoever starts it ends it.
     *
     * @param directory where it works: what it prints is there, in the file {@link #SAID}
     * @param options of the JVM
     */
    public static Process start(Path directory, List<String> options, Class<?> main, List<String> arguments)
            throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1"));
        line.addAll(options);
        line.add(main.getName());
        line.addAll(arguments);
        return new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve(SAID).toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
