package bt.main;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code bt dev} as a process, and a second tablet server over the same files as another one: it has only one of its own. */
public final class DevProcesses implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready after \\S+ s: (zk://\\S+),");

    private final JavaProcess dev;
    private final JavaProcess other;
    private final String at;

    /** Both with these keys of the configuration. */
    public DevProcesses(Path directory, String... settings) throws Exception {
        Path data = directory.resolve("data");
        dev = JavaProcess.bt(directory, words(settings, "dev", "--port", "0", "--data", data.toString()));
        boolean started = false;
        try {
            Matcher ready =
                    READY.matcher(dev.awaitOutput("next, in another terminal: ").output());
            if (!ready.find()) {
                throw new AssertionError(dev.output());
            }
            at = ready.group(1);
            String root = data.toRealPath().resolve("files").toString();
            other = JavaProcess.bt(
                    directory,
                    words(settings, "tabletserver", "--at", at, "-D", "root=" + root, "-D", "lease.millis=1000"));
            started = true;
        } finally {
            if (!started) {
                dev.close();
            }
        }
    }

    /** What {@code bt --at} wants. */
    public String at() {
        return at;
    }

    private static String[] words(String[] settings, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        Stream.of(settings).forEach(setting -> all.addAll(List.of("-D", setting)));
        return all.toArray(String[]::new);
    }

    @Override
    public void close() {
        other.close();
        dev.close();
    }
}
