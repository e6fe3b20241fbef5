package bt.examples.paper;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.Workplace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** The process of {@link ClientMain}. One thread runs it, any looks how far it is. */
final class ClientProcess implements AutoCloseable {
    private static final List<String> JVM = List.of("-Xms1g", "-Xmx1g", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch");

    private final JavaProcess process;
    private final PrintStream orders;
    private final BufferedReader answers;
    private volatile long operations;

    private ClientProcess(JavaProcess process) throws IOException {
        this.process = process;
        this.orders = new PrintStream(process.process().getOutputStream(), true, UTF_8);
        this.answers = process.process().inputReader(UTF_8);
        expect(ClientMain.READY);
    }

    /** What a client process is to work at. */
    record Task(String cluster, String table, Workload workload, int callers, long rows) {}

    /** Returns when it has opened the table. */
    static ClientProcess start(Workplace at, String name, Task task) throws IOException {
        return new ClientProcess(JavaProcess.start(
                name,
                at,
                JVM,
                ProcessBuilder.Redirect.PIPE,
                List.of(
                        ClientMain.class.getName(),
                        task.cluster(),
                        task.table(),
                        task.workload().name(),
                        Integer.toString(task.callers()),
                        Long.toString(task.rows()))));
    }

    long pid() {
        return process.pid();
    }

    /** How many operations it has done, as it said last. */
    long operations() {
        return operations;
    }

    /** Has its callers work until there are no ranges left; how long each operation took, in nanoseconds. */
    Histogram run(Ranges ranges, Pace pace) throws IOException {
        operations = 0;
        orders.println(ClientMain.BEGIN + " " + pace.step() + " " + pace.nanosBetween());
        while (true) {
            String[] words = answer().split(" ", 3);
            switch (words[0]) {
                case ClientMain.NEXT -> orders.println(order(words[1], ranges.next()));
                case ClientMain.AT -> operations = Long.parseLong(words[1]);
                case ClientMain.DONE -> {
                    operations = Long.parseLong(words[1]);
                    return Histogram.decodeFromByteBuffer(
                            ByteBuffer.wrap(Base64.getDecoder().decode(words[2])), 0);
                }
                default ->
                    throw new UnavailableException(process.name() + ": " + String.join(" ", words), Outcome.UNKNOWN);
            }
        }
    }

    private static String order(String caller, Optional<Ranges.Range> range) {
        return range.map(one -> ClientMain.RANGE + " " + caller + " " + one.from() + " " + one.to())
                .orElse(ClientMain.END + " " + caller);
    }

    private void expect(String word) throws IOException {
        String line = answer();
        if (!line.equals(word)) {
            throw new UnavailableException(process.name() + ": " + line, Outcome.UNKNOWN);
        }
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            process.checkAlive();
            throw new UnavailableException(process.name() + ": it has closed its output", Outcome.UNKNOWN);
        }
        return line;
    }

    @Override
    public void close() throws UnavailableException {
        orders.close();
        try {
            process.kill();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
