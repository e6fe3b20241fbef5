package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.Bigtable;
import bt.connect.Connect;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.testing.MiniHdfs;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of the specification hold on real processes as they do in the simulator. */
class SpecificationIT {
    private static final Pattern READY = Pattern.compile("ready after \\S+ s: (zk://\\S+),");

    @TempDir
    private Path directory;

    @Test
    void answersOfBtDevStayWhatTheyAre() throws Exception {
        String data = directory.resolve("data").toString();
        try (JavaProcess dev = JavaProcess.bt(directory, "dev", "--port", "0", "--data", data)) {
            Matcher ready =
                    READY.matcher(dev.awaitOutput("next, in another terminal: ").output());
            if (!ready.find()) {
                throw new AssertionError(dev.output());
            }
            run(ready.group(1));
        }
    }

    @Test
    void answersOfAMasterAndTwoServersOverHdfsStayWhatTheyAre() throws Exception {
        String root = MiniHdfs.shared().freshRoot();
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zk"), "127.0.0.1", 0)) {
            String at = "zk://" + zooKeeper.quorum() + "/spec";
            try (JavaProcess master = process("master", at, root);
                    JavaProcess one = process("tabletserver", at, root);
                    JavaProcess other = process("tabletserver", at, root)) {
                one.awaitOutput(" serves, epoch ");
                other.awaitOutput(" serves, epoch ");
                awaitServers(at);
                run(at);
                assertThat(master.output()).doesNotContain("halted");
            }
        }
    }

    private static void run(String at) throws Exception {
        long began = System.nanoTime();
        try (Bigtable bigtable = Connect.to(at)) {
            new SpecificationRun(bigtable).run();
        }
        System.out.printf("the specification at %s: %.1f s%n", at, (System.nanoTime() - began) / 1e9);
    }

    /** The master may take a moment longer to see a server than the server itself. */
    private static void awaitServers(String at) throws Exception {
        try (Bigtable bigtable = Connect.to(at)) {
            Awaitility.await()
                    .until(() -> bigtable.admin().clusterStatus().getServers().size() == 2);
        }
    }

    private JavaProcess process(String role, String at, String root) throws Exception {
        return JavaProcess.bt(directory, role, "--at", at, "-D", "root=" + root, "-D", "lease.millis=1000");
    }
}
