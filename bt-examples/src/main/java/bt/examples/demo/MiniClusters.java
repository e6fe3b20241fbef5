package bt.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * HDFS with three datanodes, YARN with one node manager, and ZooKeeper: Hadoop's own mini-clusters and ZooKeeper's own
 * server, each a process, with nothing of bt on the class path and none of our code between.
 */
final class MiniClusters {
    private static final String HDFS = "hdfs";
    private static final String YARN = "yarn";
    private static final String ZOOKEEPER = "zookeeper";
    private static final long START_MILLIS = 120_000;
    private static final long PAUSE_MILLIS = 100;
    private static final int CONNECT_MILLIS = 500;

    private final Workspace workspace;
    private final Addresses at;
    private final Processes processes;
    private final Scheduler scheduler;

    MiniClusters(Workspace workspace, Addresses at, Processes processes, Scheduler scheduler) {
        this.workspace = workspace;
        this.at = at;
        this.processes = processes;
        this.scheduler = scheduler;
    }

    /** Returns when all of them serve. */
    void start(Bar bar) throws IOException, InterruptedException {
        bar.note("HDFS with 3 datanodes, and ZooKeeper");
        Process hdfs = java(
                HDFS,
                512,
                List.of(
                        "org.apache.hadoop.test.MiniDFSClusterManager",
                        "-datanodes",
                        "3",
                        "-nnport",
                        Addresses.port(at.nameNode()),
                        "-format",
                        "-writeConfig",
                        ready(HDFS).toString()));
        Process zooKeeper = java(
                ZOOKEEPER,
                192,
                List.of(
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        workspace.conf().resolve(ConfigurationFiles.ZOOKEEPER).toString()));
        await(HDFS, hdfs, () -> isWritten(ready(HDFS)));
        bar.at(1, 3);
        await(ZOOKEEPER, zooKeeper, () -> answers(at.zooKeeper()));
        bar.at(2, 3);
        bar.note("YARN");
        Process yarn = java(
                YARN,
                768,
                List.of(
                        "org.apache.hadoop.mapreduce.MiniHadoopClusterManager",
                        "-nodfs",
                        "-namenode",
                        "hdfs://" + at.nameNode(),
                        "-nodemanagers",
                        "1",
                        "-rmport",
                        Addresses.port(at.yarn().client()),
                        "-jhsport",
                        Addresses.port(at.yarn().history()),
                        "-writeConfig",
                        ready(YARN).toString()));
        await(YARN, yarn, () -> isWritten(ready(YARN)));
        bar.at(3, 3);
    }

    private Process java(String name, int heapMegabytes, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-cp",
                classPath()));
        command.addAll(words);
        Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));
        return processes.start(name, command, workspace.data(name), environment);
    }

    /** Hadoop, and what only its mini-clusters need; not our own jar, which lies beside that. */
    private String classPath() throws IOException {
        try (Stream<Path> jars = Files.list(workspace.home().resolve("lib/examples"))) {
            String examples = jars.filter(jar -> !jar.getFileName().toString().startsWith("bt-"))
                    .map(Path::toString)
                    .sorted()
                    .collect(Collectors.joining(File.pathSeparator));
            return String.join(
                    File.pathSeparator,
                    workspace.conf().toString(),
                    workspace.home().resolve("lib/hadoop") + "/*",
                    examples);
        }
    }

    private void await(String name, Process process, Ready ready) throws IOException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), START_MILLIS);
        while (!ready.now()) {
            if (!process.isAlive() || deadline.isOver()) {
                throw new UnavailableException(
                        name + (process.isAlive() ? " does not serve after " + START_MILLIS / 1_000 + " s" : " ended")
                                + ": see " + workspace.log(name),
                        Outcome.NOT_APPLIED);
            }
            scheduler.pause(PAUSE_MILLIS);
        }
    }

    /** The configuration that a mini-cluster writes when it serves. */
    private Path ready(String name) throws IOException {
        return workspace.data(name).resolve("ready.xml");
    }

    private static boolean isWritten(Path file) throws IOException {
        return Files.exists(file)
                && Files.readString(file, UTF_8).stripTrailing().endsWith("</configuration>");
    }

    private static boolean answers(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(Addresses.port(address))),
                    CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Whether a server serves. */
    @FunctionalInterface
    private interface Ready {
        boolean now() throws IOException;
    }
}
