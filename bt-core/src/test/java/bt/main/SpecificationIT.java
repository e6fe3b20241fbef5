package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.testing.MiniHdfs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of the specification hold on real processes as they do in the simulator, and on as many servers. */
class SpecificationIT {
    @TempDir
    private Path directory;

    @Test
    void answersOfBtDevStayWhatTheyAre() throws Exception {
        try (DevProcesses dev = new DevProcesses(directory)) {
            run(dev.at());
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
                run(at);
                assertThat(master.output()).doesNotContain("halted");
            }
        }
    }

    private static void run(String at) throws Exception {
        long began = System.nanoTime();
        try (ThreadScheduler scheduler = new ThreadScheduler();
                SpecificationRun run = new SpecificationRun(new ClientsOf(at), scheduler)) {
            run.run();
        }
        System.out.printf("the specification at %s: %.1f s%n", at, (System.nanoTime() - began) / 1e9);
    }

    private JavaProcess process(String role, String at, String root) throws Exception {
        return JavaProcess.bt(directory, role, "--at", at, "-D", "root=" + root, "-D", "lease.millis=1000");
    }

    /** Its servers are the user's who runs this. */
    private record ClientsOf(String at) implements SpecificationRun.Users {
        @Override
        public Bigtable owner() throws BigtableException {
            return Connect.to(at);
        }

        @Override
        public Bigtable user(String name) throws BigtableException {
            return Connect.to(at, name);
        }
    }
}
