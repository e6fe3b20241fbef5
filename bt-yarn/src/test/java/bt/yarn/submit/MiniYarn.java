package bt.yarn.submit;

import bt.testing.MiniHdfs;
import bt.testing.MiniZooKeeper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeDecommissioningEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;

/** A real YARN, HDFS and ZooKeeper in this process, and the directory of Hadoop's configuration that leads to them. */
final class MiniYarn implements AutoCloseable {
    private static final int NODES = 2;

    private final Path configuration;
    private final MiniZooKeeper zooKeeper;
    private final MiniYARNCluster cluster;

    MiniYarn(Path directory) throws IOException, InterruptedException {
        zooKeeper = new MiniZooKeeper(Files.createDirectories(directory.resolve("zookeeper")));
        System.setProperty("test.build.data", directory.resolve("yarn").toString());
        YarnConfiguration settings = new YarnConfiguration();
        settings.set("fs.defaultFS", MiniHdfs.shared().cluster().getURI().toString());
        settings.setInt("yarn.resourcemanager.am.max-attempts", 4);
        settings.setInt("yarn.scheduler.minimum-allocation-mb", 128);
        settings.set("yarn.scheduler.capacity.root.queues", "default");
        settings.set("yarn.scheduler.capacity.root.default.capacity", "100");
        settings.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        settings.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.5");
        // Without these two the end takes twenty seconds: node managers wait for logs, and for processes to die.
        settings.setBoolean("yarn.log-aggregation-enable", true);
        settings.setInt("yarn.nodemanager.process-kill-wait.ms", 500);
        // SIGKILL at once: what is to be done before nobody does after SIGTERM.
        settings.setInt("yarn.nodemanager.sleep-delay-before-sigkill.ms", 0);
        settings.set(
                "yarn.nodemanager.remote-app-log-dir",
                directory.resolve("logs").toUri().toString());
        cluster = new MiniYARNCluster("bt", NODES, 1, 1);
        cluster.init(settings);
        cluster.start();
        awaitNodes();
        configuration = Files.createDirectories(directory.resolve("hadoop"));
        write("core-site.xml");
        write("yarn-site.xml");
    }

    private void awaitNodes() throws InterruptedException {
        try {
            if (!cluster.waitForNodeManagersToConnect(60_000)) {
                throw new AssertionError("no node manager has come within a minute");
            }
        } catch (YarnException e) {
            throw new AssertionError(e);
        }
    }

    private void write(String name) throws IOException {
        Configuration settings = cluster.getConfig();
        try (OutputStream out = Files.newOutputStream(configuration.resolve(name))) {
            settings.writeXml(out);
        }
    }

    /** For the class path of a command. */
    Path configuration() {
        return configuration;
    }

    String quorum() {
        return zooKeeper.quorum();
    }

    /** What an application said last. */
    String diagnostics(String application) {
        RMApp app = manager().getRMApps().get(ApplicationId.fromString(application));
        return app == null ? "" : app.getFinalApplicationStatus() + " " + app.getDiagnostics();
    }

    /** As an operator does who takes the container's node away: it goes when nothing runs there any more. */
    void decommission(String container) {
        NodeId node = held(container).getAllocatedNode();
        manager().getDispatcher().getEventHandler().handle(new RMNodeDecommissioningEvent(node, null));
    }

    /** As the monitor of queues does that have less than they may: its application is told that the container will be taken. */
    void preempt(String container) {
        RMContainer held = held(container);
        manager()
                .getDispatcher()
                .getEventHandler()
                .handle(new ContainerPreemptEvent(
                        held.getApplicationAttemptId(), held, SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION));
    }

    private RMContainer held(String container) {
        return manager().getScheduler().getRMContainer(ContainerId.fromString(container));
    }

    private RMContext manager() {
        return cluster.getResourceManager().getRMContext();
    }

    @Override
    public void close() {
        cluster.stop();
        zooKeeper.close();
    }
}
