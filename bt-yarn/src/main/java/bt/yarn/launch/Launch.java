package bt.yarn.launch;

import static bt.base.Check.checkArgument;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;

/** How the containers of one application start: each a plain JVM that runs one command of {@code bt}. */
public final class Launch {
    private final Map<String, LocalResource> files;

    private Launch(Map<String, LocalResource> files) {
        this.files = files;
    }

    /** From this archive and this configuration, which must lie in the file system already. */
    public static Launch from(FileSystem files, Path archive, Path site) throws IOException {
        return new Launch(ContainerFiles.of(files, archive, site));
    }

    /** A container of so much memory that runs {@code bt} with these words. */
    public ContainerLaunchContext of(int megabytes, List<String> words) {
        return ContainerLaunchContext.newInstance(
                files, Map.of(), List.of(command(megabytes, words)), null, null, null);
    }

    static String command(int megabytes, List<String> words) {
        checkArgument(!words.isEmpty(), "a container runs a command of bt");
        // A quarter for what is not heap: code, thread stacks, network buffers.
        int heap = megabytes * 3 / 4;
        // exec, so that the process that the node manager watches and signals is the JVM.
        return "exec ${JAVA_HOME:+$JAVA_HOME/bin/}java -Xmx" + heap + "m -XX:MaxDirectMemorySize=" + megabytes / 8
                + "m -XX:+UseG1GC -XX:+ExitOnOutOfMemoryError -Dbt.home=bt -Dbt.conf.dir=site -Dbt.process=$"
                + ApplicationConstants.Environment.CONTAINER_ID
                + " -cp 'site:bt/lib/*:bt/lib/hadoop/*' bt.main.Main "
                + words.stream().map(ShellWord::quote).collect(Collectors.joining(" "))
                + " 1>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/stdout"
                + " 2>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/stderr";
    }
}
