package bt.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory of a cluster: configuration, logs, and what HDFS and ZooKeeper keep. */
public record Workplace(Path directory) {
    private static final String LOGGING = """
            log4j.rootLogger=WARN,stderr
            log4j.logger.bt=INFO
            log4j.appender.stderr=org.apache.log4j.ConsoleAppender
            log4j.appender.stderr.target=System.err
            log4j.appender.stderr.layout=org.apache.log4j.PatternLayout
            log4j.appender.stderr.layout.ConversionPattern=%d{ISO8601} %-5p %c{1}: %m%n
            log4j.logger.org.apache.zookeeper.ClientCnxn=ERROR
            """;

    /** Makes the directory, and in it where configuration and logs go. */
    public static Workplace make(Path directory) throws IOException {
        Workplace at = new Workplace(directory.toAbsolutePath());
        Files.createDirectories(at.conf());
        Files.createDirectories(at.directory.resolve("logs"));
        Files.writeString(at.conf().resolve("log4j.properties"), LOGGING, UTF_8);
        return at;
    }

    Path conf() {
        return directory.resolve("conf");
    }

    Path log(String name) {
        return directory.resolve("logs").resolve(name + ".log");
    }

    /** Made when it is first asked for. */
    Path data(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    /** With everything in it. */
    public void delete() throws IOException {
        DirectoryTree.delete(directory);
    }
}
