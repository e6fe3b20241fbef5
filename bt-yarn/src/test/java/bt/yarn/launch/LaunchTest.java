package bt.yarn.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "hdfs://127.0.0.1:9000/user/me/.bt/x.tar",
                "two words",
                "$HOME",
                "`id`",
                "it's",
                "\"quoted\"",
                "back\\slash",
                "a;b|c&d>e",
                ""
            })
    void aWordReachesTheProcessAsItIs(String word) throws IOException, InterruptedException {
        // As YARN's launch script does.
        String script = "exec /bin/bash -c \"printf %s " + ShellWord.quote(word) + "\"";
        Process process = new ProcessBuilder("/bin/bash", "-c", script).start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(word);
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void theHeapLeavesRoomForTheRestOfTheContainer() {
        assertThat(Launch.command(1024, List.of("tabletserver")))
                .contains("-Xmx768m")
                .contains("MaxDirectMemorySize=128m");
    }

    @Test
    void theJvmTakesThePlaceOfTheShell() {
        assertThat(Launch.command(512, List.of("master"))).startsWith("exec ").contains("bt.main.Main 'master'");
    }

    /** One configuration is for all containers: what differs from node to node comes from the node manager. */
    @Test
    void aContainerIsToldItsNodesHost(@TempDir java.nio.file.Path directory) throws Exception {
        java.nio.file.Path java =
                Files.createDirectory(directory.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/bash\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        // As YARN's launch script does.
        String command = Launch.command(512, List.of("tabletserver")).replace("<LOG_DIR>", directory.toString());
        ProcessBuilder script = new ProcessBuilder("/bin/bash", "-c", "exec /bin/bash -c \"" + command + "\"");
        script.environment()
                .putAll(Map.of(
                        "JAVA_HOME", directory.toString(), "CONTAINER_ID", "container_7", "NM_HOST", "node7.example"));
        assertThat(script.start().waitFor()).isZero();

        assertThat(Files.readAllLines(directory.resolve("stdout")))
                .contains("-Dbt.process=container_7", "-Dbt.host=node7.example")
                .endsWith("bt.main.Main", "tabletserver");
    }

    /** Where nobody proves who he is, all containers of YARN are processes of the node manager's user. */
    @Test
    void theProcessesAreOfTheUserWhoStartsThem(@TempDir java.nio.file.Path directory) throws Exception {
        for (String name : List.of("bt.tar", ContainerFiles.SETTINGS, ContainerFiles.LOGGING, ContainerFiles.HADOOP)) {
            Files.createFile(directory.resolve(name));
        }
        Path site = new Path(directory.toUri());
        FileSystem local = FileSystem.getLocal(new Configuration(false));
        Map<String, String> environment = UserGroupInformation.createRemoteUser("alice")
                .doAs((PrivilegedExceptionAction<Launch>) () -> Launch.from(local, new Path(site, "bt.tar"), site))
                .of(512, List.of("master"))
                .getEnvironment();
        assertThat(environment).containsEntry("HADOOP_USER_NAME", "alice");
    }

    @Test
    void theFileOfTheSecretIsNamedToContainersWhereThereIsOne() {
        assertThat(Launch.environment("ada", null)).containsExactly(Map.entry("HADOOP_USER_NAME", "ada"));
        assertThat(Launch.environment("ada", "/etc/bt/secret"))
                .containsOnly(
                        Map.entry("HADOOP_USER_NAME", "ada"), Map.entry("BT_ZOOKEEPER_SECRET_FILE", "/etc/bt/secret"));
    }
}
