package bt.main;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jline.terminal.Size;
import org.jline.terminal.impl.jni.JniNativePty;
import org.jline.terminal.impl.jni.linux.LinuxNativePty;
import org.jline.terminal.spi.TerminalProvider;

/**
 * A {@code bt} process on a terminal of its own, with somebody who types. What it prints is read only while it is waited
 * for, so that a command that prints much stands still meanwhile. One thread.
 */
final class PseudoTerminal implements AutoCloseable {
    /** What moves the cursor, colours and asks the terminal for what it can do. */
    private static final Pattern CONTROL =
            Pattern.compile("\u001b\\[[0-9;?>=$]*[A-Za-z]|\u001b[=>]|\u001b\\][^\u0007]*\u0007|\u0007");

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BEFORE_ANOTHER_TAB = Duration.ofSeconds(5);
    private static final int MOST_TABS = 6;

    private final JniNativePty pty;
    private final Process process;
    private final StringBuilder seen = new StringBuilder();

    private PseudoTerminal(JniNativePty pty, Process process) {
        this.pty = pty;
        this.process = process;
    }

    /** @param home where the history is kept */
    static PseudoTerminal bt(Path home, String... words) throws IOException {
        JniNativePty pty = LinuxNativePty.open(TerminalProvider.load("jni"), null, Size.of(200, 50));
        List<String> line = new ArrayList<>(List.of(
                // Who runs tests in the background may ignore SIGINT: a JVM that inherits that never hears of Ctrl-C.
                "env",
                "--default-signal=INT",
                // The terminal of a session of its own: Ctrl-C goes to it alone.
                "setsid",
                "--ctty",
                "--wait",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Duser.home=" + home,
                "-Dbt.conf.dir=" + Path.of("..", "conf").toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path"),
                "bt.main.Main"));
        line.addAll(List.of(words));
        File terminal = new File(pty.getName());
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectInput(terminal)
                .redirectOutput(terminal)
                .redirectError(terminal);
        builder.environment().put("TERM", "xterm");
        return new PseudoTerminal(pty, builder.start());
    }

    /** Types: \r is the key Enter, \t is Tab. */
    PseudoTerminal type(String keys) throws IOException {
        return type(keys.getBytes(StandardCharsets.UTF_8));
    }

    PseudoTerminal type(byte[] keys) throws IOException {
        pty.getMasterOutput().write(keys);
        pty.getMasterOutput().flush();
        return this;
    }

    /** Types, with Tab behind it: again where nothing came, for the shell waits a second for names, and a busy machine may take more. */
    void complete(String keys, String completed) throws IOException {
        type(keys);
        boolean isThere = false;
        for (int tabs = 0; tabs < MOST_TABS && !isThere; tabs++) {
            type("\t");
            isThere = waits(completed, BEFORE_ANOTHER_TAB);
        }
        await(completed);
    }

    private boolean waits(String text, Duration time) {
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(time)
                    .until(() -> sees(text) || hasEnded());
            return true;
        } catch (ConditionTimeoutException silent) {
            return false;
        }
    }

    /** Waits until this stands on the screen; all that was printed up to its end since the last time. */
    String await(String text) {
        if (!waits(text, PATIENCE)) {
            throw new AssertionError("no '" + text + "' in " + PATIENCE + ": " + plain());
        }
        if (!plain().contains(text)) {
            throw new AssertionError("it has ended with " + process.exitValue() + ": " + plain());
        }
        String plain = plain();
        int end = plain.indexOf(text) + text.length();
        seen.setLength(0);
        seen.append(plain, end, plain.length());
        return plain.substring(0, end);
    }

    /** Waits for its end: the exit code. */
    int awaitEnd() throws InterruptedException {
        Awaitility.await().pollInSameThread().atMost(PATIENCE).until(() -> sees("") && !process.isAlive());
        return process.exitValue();
    }

    /** And all that it has printed is seen. */
    private boolean hasEnded() throws IOException {
        return !process.isAlive() && sees("");
    }

    private boolean sees(String text) throws IOException {
        InputStream in = pty.getMasterInput();
        byte[] chunk = new byte[1 << 12];
        for (int most = 64; most > 0 && in.available() > 0; most--) {
            seen.append(new String(chunk, 0, in.read(chunk), StandardCharsets.UTF_8));
        }
        return plain().contains(text);
    }

    private String plain() {
        return CONTROL.matcher(seen).replaceAll("").replace("\r\n", "\n");
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        pty.close();
    }
}
