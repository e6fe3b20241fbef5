package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.testing.MiniHdfs;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages of the specification hold on real processes as they do in the simulator, and on as many servers: before and after flushes,
 * compactions, splits and moves: {@code bt dev} over a local disk, with such things between the steps too, and the processes of a
 * cluster over HDFS. The simulator has both likewise.
 */
class SpecificationIT {
    @TempDir
    private Path directory;

    @Test
    void answersOfBtDevStayWhatTheyAre() throws Exception {
        try (DevProcesses dev = new DevProcesses(directory)) {
            run(dev.at(), SpecificationRun::run);
        }
    }

    @Test
    void answersOfBtDevAreTheSameWithFlushesCompactionsSplitsAndMovesBetweenSteps() throws Exception {
        try (DevProcesses dev = new DevProcesses(directory)) {
            run(dev.at(), SpecificationIT::withTroubles);
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
                run(at, SpecificationRun::run);
                assertThat(master.output()).doesNotContain("halted");
            }
        }
    }

    /** Between all steps would take minutes. */
    private static void withTroubles(SpecificationRun run) throws Exception {
        assertThat(run.runWithTroubles(new Random(1), 8))
                .containsOnlyKeys(Troubles.Kind.values())
                .allSatisfy((kind, times) -> assertThat(times).as(kind.name()).isPositive());
    }

    /** One way through the pages. */
    @FunctionalInterface
    private interface Run {
        void on(SpecificationRun run) throws Exception;
    }

    private static void run(String at, Run what) throws Exception {
        long began = System.nanoTime();
        try (ThreadScheduler scheduler = new ThreadScheduler();
                SpecificationRun run = new SpecificationRun(new ClientsOf(at), scheduler)) {
            what.on(run);
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
