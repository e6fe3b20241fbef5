package bt.main;

import bt.base.RejectedException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * The configuration of one process: defaults, then {@code conf/bt.properties}, then {@code -D key=value} on the command
 * line. An unknown key is an error: it is a known one, misspelt, and the value that it meant would silently be missing.
 * In a container of YARN the default of {@code host} is the node's: all containers of a cluster read the same file.
 */
final class Configuration {
    static final String FILE = "bt.properties";

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Set<String> given = new HashSet<>();

    private Configuration() {
        for (Setting setting : Setting.values()) {
            values.put(setting.key(), setting.defaultValue());
        }
        NodeHost.ofProcess().ifPresent(host -> values.put(Setting.HOST.key(), host));
    }

    static Configuration read(Path directory, Map<String, String> overrides) throws RejectedException {
        Configuration configuration = new Configuration();
        Path file = directory.resolve(FILE);
        if (Files.exists(file)) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException unreadable) {
                throw new RejectedException(
                        file + ": " + unreadable.getMessage(), "make it a readable properties file");
            }
            for (String key : properties.stringPropertyNames()) {
                configuration.put(file.toString(), key, properties.getProperty(key));
            }
        }
        for (Map.Entry<String, String> override : overrides.entrySet()) {
            configuration.put("command line", override.getKey(), override.getValue());
        }
        return configuration;
    }

    Map<String, String> values() {
        return Map.copyOf(values);
    }

    /** The keys that the file or the command line has, be it with their defaults. */
    Set<String> given() {
        return Set.copyOf(given);
    }

    private void put(String where, String key, String value) throws RejectedException {
        Optional<Setting> known = Setting.find(key);
        if (known.isEmpty()) {
            throw new RejectedException(
                    where + ": unknown key \"" + key + "\"",
                    "the nearest known one is \"" + Setting.nearest(key).key() + "\" (bt config lists all)");
        }
        known.get().check(where, value.strip());
        values.put(key, value.strip());
        given.add(key);
    }
}
