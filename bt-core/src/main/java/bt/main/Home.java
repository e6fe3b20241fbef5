package bt.main;

import java.nio.file.Path;

/** Where this distribution lies, as {@code bin/bt} says it, and its configuration. */
final class Home {
    private Home() {}

    static Path directory() {
        return Path.of(System.getProperty("bt.home", "."));
    }

    static Path conf() {
        String conf = System.getProperty("bt.conf.dir");
        return conf == null ? directory().resolve("conf") : Path.of(conf);
    }
}
