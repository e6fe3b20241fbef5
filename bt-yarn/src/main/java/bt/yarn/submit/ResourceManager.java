package bt.yarn.submit;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.yarn.spec.ClusterSpec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** YARN, as a command sees it: it answers within seconds, or the command says that it does not. */
final class ResourceManager implements AutoCloseable {
    private final YarnClient client = YarnClient.createYarnClient();
    private final String address;

    private ResourceManager(Configuration hadoop) {
        address = hadoop.get(YarnConfiguration.RM_ADDRESS, YarnConfiguration.DEFAULT_RM_ADDRESS);
        client.init(impatient(hadoop));
        client.start();
    }

    /** UNAVAILABLE when it does not answer. */
    static ResourceManager connect(Configuration hadoop) throws BigtableException {
        ResourceManager manager = new ResourceManager(hadoop);
        boolean answers = false;
        try {
            manager.client.getYarnClusterMetrics();
            answers = true;
            return manager;
        } catch (IOException | YarnException silent) {
            throw new UnavailableException(
                            "no ResourceManager answers at " + manager.address
                                    + ": start YARN, or name its configuration by HADOOP_CONF_DIR ("
                                    + Refusals.oneLine(silent) + ")",
                            Outcome.NOT_APPLIED)
                    .causedBy(silent);
        } finally {
            if (!answers) {
                manager.close();
            }
        }
    }

    /** Left to themselves, Hadoop's clients knock at a closed door for a quarter of an hour. */
    static Configuration impatient(Configuration hadoop) {
        Configuration impatient = new Configuration(hadoop);
        impatient.setInt("yarn.resourcemanager.connect.max-wait.ms", 6_000);
        impatient.setInt("yarn.resourcemanager.connect.retry-interval.ms", 1_000);
        impatient.setInt("yarn.client.application-client-protocol.poll-timeout-ms", 30_000);
        impatient.setInt("ipc.client.connect.max.retries", 2);
        impatient.setInt("ipc.client.connect.max.retries.on.timeouts", 1);
        impatient.setInt("ipc.client.connect.timeout", 5_000);
        return impatient;
    }

    /** REJECTED when the queue is missing, or the nodes together could never hold the cluster. */
    void check(ClusterSpec spec, String queue) throws BigtableException {
        if (Refusals.translated("queue " + queue, () -> queueIsMissing(queue))) {
            throw new RejectedException(
                    "YARN at " + address + " has no queue " + queue,
                    "correct the key yarn.queue, or have the queue made");
        }
        List<NodeReport> nodes =
                Refusals.translated("YARN at " + address, () -> client.getNodeReports(NodeState.RUNNING));
        if (nodes.isEmpty()) {
            throw new UnavailableException(
                    "YARN at " + address + " has no healthy NodeManager: start one, or look at its log",
                    Outcome.NOT_APPLIED);
        }
        long megabytes = nodes.stream()
                .mapToLong(node -> node.getCapability().getMemorySize())
                .sum();
        if (spec.totalMegabytes() > megabytes) {
            throw new RejectedException(
                    "the cluster needs " + spec.totalMegabytes() + " MB, the " + nodes.size()
                            + " nodes of YARN have " + megabytes
                            + " MB in all",
                    "ask for fewer servers, or lower yarn.masters, yarn.master.mb or yarn.tabletserver.mb");
        }
    }

    private boolean queueIsMissing(String queue) throws IOException {
        try {
            return client.getQueueInfo(queue) == null;
        } catch (YarnException unknown) {
            return true;
        }
    }

    /** An application that YARN knows by its id, and has not been told to run. */
    YarnClientApplication create() throws BigtableException {
        return Refusals.translated("YARN at " + address, client::createApplication);
    }

    void submit(ApplicationSubmissionContext application) throws BigtableException {
        Refusals.translated(
                "application " + application.getApplicationName(), () -> client.submitApplication(application));
    }

    /** Empty when YARN has never heard of it, or has forgotten it. */
    Optional<ApplicationReport> report(String id) throws BigtableException {
        return Refusals.translated(id, () -> {
            try {
                return Optional.of(client.getApplicationReport(ApplicationId.fromString(id)));
            } catch (ApplicationNotFoundException unknown) {
                return Optional.empty();
            }
        });
    }

    boolean isOver(String id) throws BigtableException {
        return report(id).map(ResourceManager::isOver).orElse(true);
    }

    static boolean isOver(ApplicationReport report) {
        return switch (report.getYarnApplicationState()) {
            case FINISHED, FAILED, KILLED -> true;
            case NEW, NEW_SAVING, SUBMITTED, ACCEPTED, RUNNING -> false;
        };
    }

    void kill(String id) throws BigtableException {
        Refusals.translated(id, () -> {
            client.killApplication(ApplicationId.fromString(id));
            return true;
        });
    }

    static Resource memory(int megabytes) {
        return Resource.newInstance(megabytes, 1);
    }

    @Override
    public void close() {
        client.stop();
    }
}
