package bt.main;

import java.util.Optional;

/** The machine that a process runs on, by the name that whoever started it knows it by: {@code -Dbt.host=NAME}, as containers of YARN have. */
final class NodeHost {
    static final String PROPERTY = "bt.host";

    private NodeHost() {}

    static Optional<String> ofProcess() {
        return Optional.of(System.getProperty(PROPERTY, "")).filter(host -> !host.isEmpty());
    }
}
