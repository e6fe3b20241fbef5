package bt.yarn.launch;

import static bt.base.Check.checkArgument;

import bt.connect.LocalSecret;
import bt.main.ServerHeap;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.jspecify.annotations.Nullable;

/** How the containers of one application start: each a plain JVM that runs one command of {@code bt}. */
public final class Launch {
    /** By which Hadoop's own library, and bt, know a process whose user nobody proves. */
    private static final String USER = "HADOOP_USER_NAME";

    private final Map<String, LocalResource> files;
    private final String user;

    private Launch(Map<String, LocalResource> files, String user) {
        this.files = files;
        this.user = user;
    }

    /**
     * From this archive and this configuration, which must lie in the file system already. All processes of the application
     * are of this process's user, to HDFS and to each other, whoever's processes a node manager starts.
     */
    public static Launch from(FileSystem files, Path archive, Path site) throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        return new Launch(ContainerFiles.of(files, archive, site), user);
    }

    /** A container of so much memory that runs {@code bt} with these words. */
    public ContainerLaunchContext of(int megabytes, List<String> words) {
        return ContainerLaunchContext.newInstance(
                files,
                environment(user, System.getenv(LocalSecret.KEY)),
                List.of(command(megabytes, words)),
                null,
                null,
                null);
    }

    /** The secret's file is named, not carried: it lies on every machine, where only its owner reads it. */
    static Map<String, String> environment(String user, @Nullable String secretFile) {
        return secretFile == null ? Map.of(USER, user) : Map.of(USER, user, LocalSecret.KEY, secretFile);
    }

    static String command(int megabytes, List<String> words) {
        checkArgument(!words.isEmpty(), "a container runs a command of bt");
        // A quarter for what is not heap: code, thread stacks, network buffers.
        int heap = megabytes * 3 / 4;
        // exec, so that the process that the node manager watches and signals is the JVM.
        return "exec ${JAVA_HOME:+$JAVA_HOME/bin/}java "
                + String.join(" ", ServerHeap.options(heap)) + " -XX:MaxDirectMemorySize=" + megabytes / 8
                + "m -XX:+ExitOnOutOfMemoryError -Dbt.home=bt -Dbt.conf.dir=site -Dbt.process=$"
                + ApplicationConstants.Environment.CONTAINER_ID
                + " -Dbt.host=$" + ApplicationConstants.Environment.NM_HOST
                + " -cp 'site:bt/lib/*:bt/lib/hadoop/*' bt.main.Main "
                + words.stream().map(ShellWord::quote).collect(Collectors.joining(" "))
                + " 1>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/stdout"
                + " 2>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/stderr";
    }
}
