package bt.mapreduce;

import bt.base.RejectedException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The jars of classes, as the submitting process has them; a directory of classes is packed into a jar for the while. */
final class Jars {
    /**
     * One class of every jar that a client of bt needs. SLF4J is not among them: Hadoop's own goes on writing the logs of
     * a task, which a second one without a binding would swallow.
     */
    private static final List<String> OF_BIGTABLE = List.of(
            "bt.mapreduce.TableJob",
            "bt.connect.Connect",
            "com.fasterxml.jackson.annotation.JsonProperty",
            "com.fasterxml.jackson.core.JsonParser",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "com.google.re2j.Pattern",
            "io.netty.bootstrap.Bootstrap",
            "io.netty.buffer.ByteBuf",
            "io.netty.channel.epoll.Epoll",
            "io.netty.channel.unix.Errors",
            "io.netty.handler.codec.ByteToMessageDecoder",
            "io.netty.handler.timeout.IdleStateHandler",
            "io.netty.resolver.AddressResolver",
            "io.netty.util.Timer",
            "org.apache.avro.Schema",
            "org.apache.jute.Record",
            "org.apache.zookeeper.ZooKeeper");

    private Jars() {}

    /** Of bt and all that it needs beside Hadoop and SLF4J. */
    static Set<String> ofBigtable() throws IOException {
        Set<String> jars = new TreeSet<>();
        for (String name : OF_BIGTABLE) {
            try {
                jars.add(of(Class.forName(name, false, Jars.class.getClassLoader()))
                        .toUri()
                        .toString());
            } catch (ClassNotFoundException absent) {
                throw new RejectedException(
                        name + " is not on the class path", "submit the job with all jars of bt's lib directory");
            }
        }
        return jars;
    }

    static Path of(Class<?> type) throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new RejectedException(
                    type.getName() + " is of the JDK, and no jar to ship has it", "ship classes of your own alone");
        }
        try {
            Path place = Path.of(source.getLocation().toURI());
            return Files.isDirectory(place) ? pack(place) : place;
        } catch (URISyntaxException | IllegalArgumentException odd) {
            throw new RejectedException(
                    type.getName() + " lies at " + source.getLocation() + ", which is no file",
                    "submit the job with jars on the class path");
        }
    }

    private static Path pack(Path classes) throws IOException {
        Path jar = Files.createTempFile("bt-classes-", ".jar");
        jar.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> found = Files.walk(classes)) {
            for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
                String name = classes.relativize(file).toString().replace('\\', '/');
                entries.putNextEntry(new JarEntry(name));
                Files.copy(file, entries);
            }
        }
        return jar;
    }
}
