package bt.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;

/** One directory with the configuration of everything: the mini-clusters, Hadoop's clients, ZooKeeper and bt. */
final class ConfigurationFiles {
    static final String ZOOKEEPER = "zoo.cfg";

    private static final String NODE_MEGABYTES = "7168";
    private static final String NO = "false";

    private final Workspace workspace;
    private final Addresses at;

    ConfigurationFiles(Workspace workspace, Addresses at) {
        this.workspace = workspace;
        this.at = at;
    }

    void write() throws IOException {
        xml("core-site.xml", core());
        xml("hdfs-site.xml", hdfs());
        xml("yarn-site.xml", yarn());
        xml("capacity-scheduler.xml", queues());
        xml("mapred-site.xml", mapReduce());
        properties(ZOOKEEPER, zooKeeper());
        properties("bt.properties", bigtable());
        Files.writeString(workspace.conf().resolve("log4j.properties"), """
                log4j.rootLogger=INFO,stderr
                log4j.appender.stderr=org.apache.log4j.ConsoleAppender
                log4j.appender.stderr.target=System.err
                log4j.appender.stderr.layout=org.apache.log4j.PatternLayout
                log4j.appender.stderr.layout.ConversionPattern=%d{HH:mm:ss,SSS} %p %c{1}: %m%n
                log4j.logger.org.apache.hadoop=WARN
                log4j.logger.org.apache.zookeeper=WARN
                log4j.logger.BlockStateChange=WARN
                """, UTF_8);
    }

    private Map<String, String> core() throws IOException {
        return Map.of(
                "fs.defaultFS",
                "hdfs://" + at.nameNode(),
                "hadoop.tmp.dir",
                workspace.data("tmp").toString());
    }

    private Map<String, String> hdfs() throws IOException {
        return Map.of(
                "dfs.replication",
                "3",
                // The log of the server that is killed is closed with one of them.
                "dfs.heartbeat.interval",
                "1",
                "hdfs.minidfs.basedir",
                workspace.data("hdfs").resolve("dfs").toString());
    }

    private Map<String, String> yarn() {
        return Map.ofEntries(
                Map.entry("yarn.resourcemanager.bind-host", "127.0.0.1"),
                Map.entry("yarn.resourcemanager.address", at.yarn().client()),
                Map.entry("yarn.resourcemanager.scheduler.address", at.yarn().scheduler()),
                Map.entry(
                        "yarn.resourcemanager.resource-tracker.address",
                        at.yarn().tracker()),
                Map.entry("yarn.resourcemanager.admin.address", at.yarn().admin()),
                Map.entry("yarn.resourcemanager.webapp.address", at.yarn().web()),
                Map.entry("yarn.nodemanager.bind-host", "127.0.0.1"),
                Map.entry("yarn.nodemanager.address", "127.0.0.1:0"),
                Map.entry("yarn.nodemanager.localizer.address", at.yarn().localizer()),
                Map.entry("yarn.nodemanager.webapp.address", at.yarn().nodeWeb()),
                Map.entry("yarn.nodemanager.resource.memory-mb", NODE_MEGABYTES),
                Map.entry("yarn.minicluster.yarn.nodemanager.resource.memory-mb", NODE_MEGABYTES),
                Map.entry("yarn.nodemanager.resource.cpu-vcores", "16"),
                Map.entry("yarn.nodemanager.vmem-check-enabled", NO),
                Map.entry("yarn.nodemanager.sleep-delay-before-sigkill.ms", "250"),
                Map.entry("yarn.scheduler.minimum-allocation-mb", "128"),
                Map.entry("yarn.resourcemanager.am.max-attempts", "4"),
                Map.entry("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200"),
                // A disk that is nine tenths full is no reason for an unhealthy node here.
                Map.entry("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.5"),
                Map.entry("yarn.application.classpath", hadoopJars()));
    }

    private static Map<String, String> queues() {
        return Map.of(
                "yarn.scheduler.capacity.root.queues", "default",
                "yarn.scheduler.capacity.root.default.capacity", "100",
                // A tenth, the default, has no room for the masters of the cluster and of a job side by side.
                "yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
    }

    private Map<String, String> mapReduce() {
        return Map.ofEntries(
                Map.entry("mapreduce.framework.name", "yarn"),
                Map.entry("mapreduce.application.classpath", hadoopJars()),
                Map.entry("mapreduce.jobhistory.bind-host", "127.0.0.1"),
                Map.entry("mapreduce.jobhistory.address", at.yarn().history()),
                Map.entry("mapreduce.jobhistory.webapp.address", at.yarn().historyWeb()),
                Map.entry("mapreduce.jobhistory.admin.address", at.yarn().historyAdmin()),
                Map.entry("yarn.app.mapreduce.am.staging-dir", "/staging"),
                Map.entry("yarn.app.mapreduce.am.resource.mb", "512"),
                Map.entry("yarn.app.mapreduce.am.command-opts", "-Xmx384m -XX:+UseSerialGC"),
                Map.entry("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "200"),
                Map.entry("mapreduce.map.memory.mb", "768"),
                Map.entry("mapreduce.map.java.opts", "-Xmx576m -XX:+UseSerialGC"),
                Map.entry("mapreduce.job.running.map.limit", "2"),
                Map.entry("mapreduce.client.progressmonitor.pollinterval", "250"),
                Map.entry("mapreduce.client.completion.pollinterval", "250"),
                Map.entry("mapreduce.job.ubertask.enable", NO));
    }

    private Map<String, String> zooKeeper() throws IOException {
        return Map.of(
                "dataDir",
                workspace.data("zookeeper").toString(),
                "clientPort",
                Addresses.port(at.zooKeeper()),
                "clientPortAddress",
                "127.0.0.1",
                "tickTime",
                "1000",
                "admin.enableServer",
                NO);
    }

    private Map<String, String> bigtable() {
        return Map.of(
                "at",
                at.cluster(),
                "host",
                "127.0.0.1",
                "root",
                "hdfs://" + at.nameNode() + "/bt/demo",
                "thrift.port",
                Addresses.port(at.gateway()));
    }

    /** Containers get Hadoop and nothing of bt: that is what a job has to bring. */
    private String hadoopJars() {
        return workspace.home().resolve("lib/hadoop") + "/*";
    }

    private void xml(String name, Map<String, String> values) throws IOException {
        Configuration configuration = new Configuration(false);
        values.forEach(configuration::set);
        try (OutputStream out = Files.newOutputStream(file(name))) {
            configuration.writeXml(out);
        }
    }

    private void properties(String name, Map<String, String> values) throws IOException {
        Properties properties = new Properties();
        values.forEach(properties::setProperty);
        try (OutputStream out = Files.newOutputStream(file(name))) {
            properties.store(out, null);
        }
    }

    private Path file(String name) {
        return workspace.conf().resolve(name);
    }
}
