package bt.examples.cluster;

import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** ZooKeeper's own server in a process of its own, which may be killed and started again. One thread. */
final class ZooKeeperProcess {
    private static final long START_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 20;
    private static final int ANSWER_MILLIS = 500;

    private final Workplace at;
    private final Scheduler scheduler;
    private final String address;
    private final List<String> options;
    private final Seat seat;

    private ZooKeeperProcess(Workplace at, Scheduler scheduler, String address, List<String> options)
            throws IOException {
        this.at = at;
        this.scheduler = scheduler;
        this.address = address;
        this.options = List.copyOf(options);
        this.seat = new Seat(this::run);
    }

    /** Returns when it serves. {@code options} are more of its JVM. */
    static ZooKeeperProcess start(Workplace at, Scheduler scheduler, List<String> options)
            throws IOException, InterruptedException {
        String listening = Ports.free(1).get(0);
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "dataDir",
                at.data("zookeeper").toString(),
                "clientPort",
                port(listening),
                "clientPortAddress",
                "127.0.0.1",
                "tickTime",
                "1000",
                "maxClientCnxns",
                "0",
                "admin.enableServer",
                "false"));
        try (OutputStream out = Files.newOutputStream(configuration(at))) {
            properties.store(out, null);
        }
        ZooKeeperProcess started = new ZooKeeperProcess(at, scheduler, listening, options);
        started.awaitAnswer();
        return started;
    }

    /** Where it listens, as host:port. */
    String quorum() {
        return address;
    }

    Seat seat() {
        return seat;
    }

    private JavaProcess run() throws IOException {
        List<String> all = new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC"));
        all.addAll(options);
        return JavaProcess.start(
                "zookeeper",
                at,
                all,
                ProcessBuilder.Redirect.appendTo(at.log("zookeeper").toFile()),
                List.of(
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        configuration(at).toString()));
    }

    /** Returns when it serves. */
    void awaitAnswer() throws InterruptedException, UnavailableException {
        Deadline deadline = Deadline.after(scheduler.clock(), START_MILLIS);
        while (!answers()) {
            seat.process().checkAlive();
            if (deadline.isOver()) {
                throw new UnavailableException(
                        "zookeeper does not answer after " + START_MILLIS + " ms: see " + at.log("zookeeper"),
                        Outcome.NOT_APPLIED);
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    /** That it takes connections does not say so: one that comes before it has read its data is never answered. */
    private boolean answers() {
        try (Socket socket = new Socket()) {
            int port = Integer.parseInt(port(address));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.contains("Mode: ");
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String port(String address) {
        return address.substring(address.indexOf(':') + 1);
    }

    private static Path configuration(Workplace at) {
        return at.conf().resolve("zoo.cfg");
    }
}
