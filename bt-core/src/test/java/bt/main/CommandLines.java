package bt.main;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Runs command lines of {@code bt} in this JVM. */
final class CommandLines {
    private final String at;

    /** Commands that talk to this cluster. */
    CommandLines(String at) {
        this.at = at;
    }

    /** What a command line came to. */
    record Result(int code, String out, String err) {}

    Result run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = new Main(print(out), print(err))
                .run(Stream.concat(Stream.of("--at", at), Stream.of(words)).toArray(String[]::new));
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
