package bt.examples.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code report.json}: what was run, counted and found, as far as the demo came. One thread. */
final class Report {
    private final Map<String, Object> document = new LinkedHashMap<>();
    private final Map<String, Object> containers = new LinkedHashMap<>();

    void sources(List<SiteJar> sites, Expected expected) {
        List<Object> sources = new ArrayList<>();
        for (SiteJar site : sites) {
            String coordinates = site.site().coordinates();
            sources.add(fields(
                    "coordinates", coordinates,
                    "sha256", site.site().sha256(),
                    "pages", expected.pagesOfSites().getOrDefault(coordinates, 0)));
        }
        document.put("sources", sources);
    }

    void counts(TableCheck.Counts table, Expected jars) {
        document.put(
                "pages", fields("table", table.pages(), "jars", jars.pages().size()));
        document.put("anchors", fields("table", table.anchors(), "jars", jars.anchorCount()));
    }

    void script(DeprecatedPages.Found found) {
        document.put("script", fields("seen", found.seen(), "kept", found.kept()));
    }

    void thrift(String row, String sha256) {
        document.put("thrift", fields("row", row, "sha256", sha256));
    }

    /** Those that ran at some time, the killed one too: what is added stays. */
    void containers(List<ContainerStatus> running) {
        for (ContainerStatus container : running) {
            containers.put(
                    container.id(),
                    fields(
                            "role", container.role(),
                            "id", container.id(),
                            "host", container.host(),
                            "pid", container.pid()));
        }
        document.put("containers", containers.values());
    }

    void killed(Killing.Killed killed) {
        document.put("killed", fields("pid", killed.pid(), "second", rounded(killed.second())));
    }

    /** Writes the file. */
    void write(Path file, List<Steps.Done> steps, boolean ok) throws IOException {
        List<Object> list = new ArrayList<>();
        for (Steps.Done step : steps) {
            list.add(fields("name", step.name(), "seconds", rounded(step.seconds())));
        }
        document.put("steps", list);
        document.put("ok", ok);
        Files.writeString(file, json() + "\n");
    }

    String json() throws IOException {
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    private static double rounded(double seconds) {
        return Math.round(seconds * 10) / 10.0;
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}
