package bt.yarn.submit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code bt} as bin/bt does, in a process of its own. */
record CommandLine(Path home, Path hadoop, Path directory, List<String> words) {
    private static final long TIMEOUT_SECONDS = 240;

    /** What a command left. */
    record Result(int code, String out, String err) {}

    Result run(String... more) throws IOException, InterruptedException {
        Path out = Files.createTempFile(directory, "bt", ".out");
        Path err = Files.createTempFile(directory, "bt", ".err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Dbt.home=" + home,
                "-cp",
                home + "/conf:" + hadoop + ":" + home + "/lib/*:" + home + "/lib/hadoop/*",
                "bt.main.Main"));
        command.addAll(List.of(more));
        command.addAll(words);
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(String.join(" ", more) + " hangs: " + Files.readString(err));
            }
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
