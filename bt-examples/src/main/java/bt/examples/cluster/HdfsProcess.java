package bt.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** The process of {@link HdfsMain}. One thread. */
final class HdfsProcess {
    static final String STOP = "stop";
    static final String START = "start";

    private final JavaProcess process;
    private final PrintStream commands;
    private final BufferedReader answers;
    private final String uri;

    private HdfsProcess(JavaProcess process) throws IOException {
        this.process = process;
        this.commands = new PrintStream(process.process().getOutputStream(), true, UTF_8);
        this.answers = process.process().inputReader(UTF_8);
        this.uri = answer();
    }

    /** Returns when it serves. */
    static HdfsProcess start(Workplace at) throws IOException {
        return new HdfsProcess(JavaProcess.start(
                "hdfs",
                at,
                List.of("-Xmx768m", "-XX:+UseSerialGC"),
                ProcessBuilder.Redirect.PIPE,
                List.of(HdfsMain.class.getName(), at.data("hdfs").toString())));
    }

    /** {@code hdfs://host:port}. */
    String uri() {
        return uri;
    }

    void stopDatanode() throws IOException {
        order(STOP);
    }

    /** The one that was stopped. */
    void startDatanode() throws IOException {
        order(START);
    }

    void kill() throws InterruptedException, UnavailableException {
        process.kill();
    }

    private void order(String command) throws IOException {
        commands.println(command);
        String answer = answer();
        if (!answer.equals("done")) {
            throw new UnavailableException("hdfs: " + command + ": " + answer, Outcome.UNKNOWN);
        }
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            process.checkAlive();
            throw new UnavailableException("hdfs: it has closed its output", Outcome.UNKNOWN);
        }
        return line;
    }
}
