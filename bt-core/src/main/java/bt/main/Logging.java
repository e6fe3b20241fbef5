package bt.main;

import java.nio.file.Files;
import java.nio.file.Path;

/** The log's configuration: {@code conf/log4j.properties}, whatever else calls itself so on the class path. */
final class Logging {
    private static final String KEY = "log4j.configuration";

    private Logging() {}

    /** To be called before anything has a logger. */
    static void configure() {
        Path file = Home.conf().resolve("log4j.properties");
        if (System.getProperty(KEY) == null && Files.exists(file)) {
            System.setProperty(KEY, file.toUri().toString());
        }
    }
}
