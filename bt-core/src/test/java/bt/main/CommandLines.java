package bt.main;

import bt.client.Bigtable;
import bt.command.Kept;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Runs command lines of {@code bt} in this JVM. */
final class CommandLines {
    private final String at;
    private final Runner runner;

    /** Commands that talk to this cluster, each over a connection of its own. */
    CommandLines(String at) {
        this(at, Main::run);
    }

    private CommandLines(String at, Runner runner) {
        this.at = at;
        this.runner = runner;
    }

    /** Commands of one session, over a client that is open and stays so. */
    static CommandLines over(Bigtable bigtable) {
        String at = "zk://nowhere:1/open";
        Kept kept = new Kept();
        Bigtable unused = kept.get(Bigtable.class, at, () -> bigtable);
        return new CommandLines(at, (main, words) -> main.run(kept, words));
    }

    @FunctionalInterface
    private interface Runner {
        int run(Main main, String... words);
    }

    /** What a command line came to. */
    record Result(int code, String out, String err) {}

    Result run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] line = Stream.concat(Stream.of("--at", at), Stream.of(words)).toArray(String[]::new);
        int code = runner.run(new Main(print(out), print(err)), line);
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
