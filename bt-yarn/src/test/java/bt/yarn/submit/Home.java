package bt.yarn.submit;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** A distribution like the real one, put together from this test's class path: the modules it stands on and their jars. */
final class Home {
    private Home() {}

    static Path make(Path home) throws IOException {
        Path lib = Files.createDirectories(home.resolve("lib"));
        Path hadoop = Files.createDirectories(home.resolve("lib/hadoop"));
        Path conf = Files.createDirectories(home.resolve("conf"));
        for (String file : List.of("bt.properties", "log4j.properties")) {
            Files.copy(Path.of("..", "conf", file), conf.resolve(file));
        }
        int modules = 0;
        for (String entry : List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))) {
            Path path = Path.of(entry);
            if (path.endsWith("classes")) {
                jar(path, lib.resolve("bt-" + modules++ + ".jar"));
            } else if (entry.endsWith(".jar")) {
                Files.copy(path, hadoop.resolve(path.getFileName()));
            }
        }
        return home;
    }

    private static void jar(Path classes, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            files.filter(Files::isRegularFile).sorted().forEach(file -> {
                try {
                    entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                    Files.copy(file, entries);
                    entries.closeEntry();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
