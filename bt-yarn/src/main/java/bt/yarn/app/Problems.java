package bt.yarn.app;

import bt.yarn.spec.Held;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.jspecify.annotations.Nullable;

/** What went wrong lately, for {@code bt cluster status}: the newest few, each one line. */
final class Problems {
    private static final int KEPT = 5;
    private static final int MOST_CHARACTERS = 400;

    private final Deque<String> newest = new ArrayDeque<>();

    void add(String problem) {
        if (newest.size() == KEPT) {
            newest.removeFirst();
        }
        newest.add(problem);
    }

    List<String> newest() {
        return List.copyOf(newest);
    }

    /** How a container ended, as its node manager says. */
    static String ended(Held held, ContainerStatus status) {
        return held.role().command() + " " + held.id() + " on " + held.host() + " ended with exit code "
                + status.getExitStatus() + oneLine(status.getDiagnostics());
    }

    static String oneLine(@Nullable String diagnostics) {
        String line = diagnostics == null ? "" : diagnostics.strip().replaceAll("\\s+", " ");
        if (line.isEmpty()) {
            return "";
        }
        return ": " + line.substring(0, Math.min(line.length(), MOST_CHARACTERS));
    }
}
