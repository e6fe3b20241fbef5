package bt.testing;

import static bt.base.Check.checkState;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * A piece of work that is the same on every day, whatever we change: a JVM that loads and links classes of libraries, which is most of what
 * the start of a cluster is. How much processor time that start takes is told in so many of it: of seconds the same machine needs half as
 * many again on another day, with nothing beside it.
 */
public final class Yardstick {
    /** How the names of the jars begin of which all classes are loaded. */
    private static final List<String> LIBRARIES =
            List.of("avro-", "caffeine-", "jackson-core-", "jackson-databind-", "netty-", "zookeeper-");

    private static final int LEAST_CLASSES = 3_000;
    private static final int MOST_SECONDS = 90;

    private Yardstick() {}

    /** The processor time that it takes now, in milliseconds, with the libraries of this class path; what it says is in the directory. */
    public static long millis(Path directory, String classPath) throws IOException, InterruptedException {
        Path said = directory.resolve("yardstick");
        Process run = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        classPath,
                        Yardstick.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            checkState(run.waitFor(MOST_SECONDS, TimeUnit.SECONDS), "it takes longer than %d s", MOST_SECONDS);
        } finally {
            run.destroyForcibly();
        }
        String millis = Files.readString(said).strip();
        checkState(run.exitValue() == 0 && millis.matches("[0-9]+"), "it said %s", millis);
        return Long.parseLong(millis);
    }

    public static void main(String[] arguments) throws IOException {
        int linked = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String name = Path.of(entry).getFileName().toString();
            if (name.endsWith(".jar") && LIBRARIES.stream().anyMatch(name::startsWith)) {
                linked += linkAll(entry);
            }
        }
        checkState(linked >= LEAST_CLASSES, "%d classes could be linked", linked);
        System.out.println(ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toMillis());
        System.exit(0);
    }

    /** How many could be: some need libraries that are not there. */
    private static int linkAll(String jar) throws IOException {
        try (JarFile file = new JarFile(jar);
                Stream<String> names = file.stream().map(Object::toString)) {
            return (int) names.filter(name -> name.endsWith(".class") && !name.startsWith("META-INF"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .sorted()
                    .filter(Yardstick::isLinked)
                    .count();
        }
    }

    private static boolean isLinked(String name) {
        try {
            // Whoever asks for its methods has it verified, and runs nothing of it.
            Method[] unused =
                    Class.forName(name, false, Yardstick.class.getClassLoader()).getDeclaredMethods();
            return true;
        } catch (ReflectiveOperationException | LinkageError needsMore) {
            return false;
        }
    }
}
