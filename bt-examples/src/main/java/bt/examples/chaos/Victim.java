package bt.examples.chaos;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.ProcessCluster;
import bt.examples.cluster.Seat;
import java.io.IOException;
import java.util.List;

/** The kinds of process that there are, and how one of each is found and started again. */
enum Victim {
    TABLET_SERVER {
        @Override
        JavaProcess find(ProcessCluster cluster, Strike strike) throws UnavailableException {
            return living(cluster.servers(), strike);
        }

        @Override
        void kill(ProcessCluster cluster, JavaProcess process) throws IOException, InterruptedException {
            cluster.killServer(process);
        }

        @Override
        void startAgain(ProcessCluster cluster, JavaProcess killed) throws IOException {
            cluster.replaceEnded(List.of());
        }
    },
    MASTER {
        @Override
        JavaProcess find(ProcessCluster cluster, Strike strike) throws UnavailableException {
            return living(cluster.masters(), strike);
        }

        @Override
        void startAgain(ProcessCluster cluster, JavaProcess killed) throws IOException {
            cluster.replaceEnded(List.of());
        }
    },
    DATANODE {
        @Override
        JavaProcess find(ProcessCluster cluster, Strike strike) throws UnavailableException {
            return living(cluster.hdfs().datanodes().stream().map(Seat::process).toList(), strike);
        }

        @Override
        void startAgain(ProcessCluster cluster, JavaProcess killed) throws IOException {
            for (Seat datanode : cluster.hdfs().datanodes()) {
                if (datanode.process() == killed) {
                    datanode.startAgain();
                }
            }
        }
    },
    NAME_NODE {
        @Override
        JavaProcess find(ProcessCluster cluster, Strike strike) throws UnavailableException {
            return living(List.of(cluster.hdfs().nameNode().process()), strike);
        }

        @Override
        void startAgain(ProcessCluster cluster, JavaProcess killed) throws IOException {
            cluster.hdfs().nameNode().startAgain();
        }
    },
    ZOOKEEPER {
        @Override
        JavaProcess find(ProcessCluster cluster, Strike strike) throws UnavailableException {
            return living(List.of(cluster.zooKeeper().process()), strike);
        }

        @Override
        void startAgain(ProcessCluster cluster, JavaProcess killed) throws IOException, InterruptedException {
            cluster.startZooKeeper();
        }
    };

    /** One that lives. */
    abstract JavaProcess find(ProcessCluster cluster, Strike strike) throws UnavailableException;

    abstract void startAgain(ProcessCluster cluster, JavaProcess killed) throws IOException, InterruptedException;

    void kill(ProcessCluster cluster, JavaProcess process) throws IOException, InterruptedException {
        process.kill();
    }

    private static JavaProcess living(List<JavaProcess> all, Strike strike) throws UnavailableException {
        List<JavaProcess> living = all.stream().filter(JavaProcess::isAlive).toList();
        if (living.isEmpty()) {
            throw new UnavailableException("none of them lives", Outcome.NOT_APPLIED);
        }
        return strike.choose(living);
    }
}
