package bt.examples.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A container of the cluster, as {@code bt cluster status} tells; pid 0 while its process has not said its own. */
record ContainerStatus(String role, String id, String host, long pid) {
    static final String TABLET_SERVER = "tabletserver";

    boolean isTabletServer() {
        return role.equals(TABLET_SERVER) && pid != 0;
    }

    /** From what {@code bt cluster status --json} prints: a document a line, and lines that are none. */
    static List<ContainerStatus> parse(List<String> lines) throws IOException {
        List<ContainerStatus> containers = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("{")) {
                JsonNode container = new ObjectMapper().readTree(line);
                containers.add(new ContainerStatus(
                        container.path("role").asText(),
                        container.path("container").asText(),
                        container.path("host").asText(),
                        container.path("pid").asLong()));
            }
        }
        return containers;
    }
}
