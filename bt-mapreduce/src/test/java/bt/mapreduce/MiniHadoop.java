package bt.mapreduce;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.util.ClassSecurityValidator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** YARN and a job history server in this JVM, on which real application masters run jobs in processes of their own. */
final class MiniHadoop implements AutoCloseable {
    /** Made for starting: a task here lives for seconds. */
    private static final String SMALL_JVM = "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    private final MiniMRYarnCluster cluster;

    MiniHadoop() {
        trustJobHistory();
        YarnConfiguration configuration = new YarnConfiguration();
        configuration.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "file:///");
        configuration.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99.5f);
        configuration.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 128);
        configuration.setInt(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 100);
        // Without these two a node manager takes twenty seconds to stop.
        configuration.setBoolean(YarnConfiguration.LOG_AGGREGATION_ENABLED, true);
        configuration.setInt(YarnConfiguration.NM_PROCESS_KILL_WAIT_MS, 500);
        Path logs = Path.of("target", "container-logs").toAbsolutePath();
        configuration.set(YarnConfiguration.NM_REMOTE_APP_LOG_DIR, logs.toString());
        cluster = new MiniMRYarnCluster("bt-mapreduce", 1);
        cluster.init(configuration);
        cluster.start();
    }

    /**
     * Hadoop's history server reads its own records by reflection, which our later Avro does for no class that nobody vouches
     * for. A client meets that server only when it asks after the application master has ended.
     */
    private static void trustJobHistory() {
        ClassSecurityValidator.setGlobal(
                ClassSecurityValidator.composite(ClassSecurityValidator.getGlobal(), type -> type.getName()
                        .startsWith("org.apache.hadoop.mapreduce.jobhistory.")));
    }

    /** For a job, whose containers see Hadoop's jars and nothing of ours. */
    Configuration configuration() {
        Configuration job = new Configuration(cluster.getConfig());
        // A mini cluster gives its containers the whole class path of this JVM, bt with it.
        job.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, false);
        job.set(YarnConfiguration.YARN_APPLICATION_CLASSPATH, hadoopClassPath());
        job.setInt(MRJobConfig.MR_AM_VMEM_MB, 512);
        job.set(MRJobConfig.MR_AM_COMMAND_OPTS, SMALL_JVM);
        job.setInt(MRJobConfig.MAP_MEMORY_MB, 512);
        job.set(MRJobConfig.MAP_JAVA_OPTS, SMALL_JVM);
        job.setInt(MRJobConfig.REDUCE_MEMORY_MB, 512);
        job.set(MRJobConfig.REDUCE_JAVA_OPTS, SMALL_JVM);
        job.setInt(MRJobConfig.IO_SORT_MB, 16);
        job.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, 100);
        return job;
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }

    private static String hadoopClassPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> entry.toString().endsWith(".jar"))
                .filter(entry -> !entry.getFileName().toString().startsWith("bt-"))
                .map(Path::toString)
                .collect(Collectors.joining(","));
    }
}
