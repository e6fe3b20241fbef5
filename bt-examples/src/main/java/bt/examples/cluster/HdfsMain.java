package bt.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;

/**
 * Hadoop's own mini-cluster in a process of its own: a NameNode and three datanodes, whose data lies in the directory that is
 * the only word. The first line that it prints is its address. Then it obeys lines: {@code stop} takes a datanode away, with
 * its connections, {@code start} brings back the one that is gone; it answers {@code done}. The end of its input is its end.
 */
public final class HdfsMain {
    private static final int DATANODES = 3;

    private final MiniDFSCluster cluster;
    private final PrintStream answers;
    private final Deque<DataNodeProperties> stopped = new ArrayDeque<>();

    private HdfsMain(MiniDFSCluster cluster, PrintStream answers) {
        this.cluster = cluster;
        this.answers = answers;
    }

    public static void main(String[] words) throws IOException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        // Hadoop prints too.
        System.setOut(System.err);
        Configuration settings = new HdfsConfiguration();
        settings.set("dfs.namenode.rpc-bind-host", "127.0.0.1");
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(
                        settings, Path.of(words[0]).toFile())
                .numDataNodes(DATANODES)
                .build();
        cluster.waitActive();
        new HdfsMain(cluster, answers).obey();
        // Its threads would keep it, and nobody needs what it would save.
        Runtime.getRuntime().halt(0);
    }

    private void obey() throws IOException {
        answers.println(cluster.getURI());
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            answers.println(obey(line) ? "done" : "what is \"" + line + "\"?");
        }
    }

    private boolean obey(String line) throws IOException {
        return switch (line) {
            case HdfsProcess.STOP -> stop();
            case HdfsProcess.START -> start();
            default -> false;
        };
    }

    private boolean stop() {
        return stopped.add(cluster.stopDataNode(cluster.getDataNodes().size() - 1));
    }

    private boolean start() throws IOException {
        cluster.restartDataNode(stopped.remove(), true);
        cluster.waitActive();
        return true;
    }
}
