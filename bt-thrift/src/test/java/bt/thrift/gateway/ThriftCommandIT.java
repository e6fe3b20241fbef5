package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import bt.command.ExitCode;
import bt.main.MiniBigtable;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code bt thrift} as a process of its own. */
class ThriftCommandIT {
    private static final Pattern READY = Pattern.compile("ready: Thrift gateway of zk://\\S+ at 127.0.0.1:(\\d+), .*");
    private static final int ENDED_BY_SIGTERM = 128 + 15;

    private static MiniBigtable cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void itAnswersUntilItIsAskedToStop() throws Exception {
        Process process = bt("thrift", "--port", "0", "--protocol", "binary");
        try (BufferedReader output = process.inputReader()) {
            Matcher ready = READY.matcher(output.readLine());
            assertThat(ready.matches()).isTrue();
            try (Dialled client = Dialled.to(Integer.parseInt(ready.group(1)), Protocol.BINARY)) {
                assertThat(client.calls().listTables()).isEmpty();
                // Process.destroy would close the stream that we read to its end.
                process.toHandle().destroy();
                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(process.exitValue()).isEqualTo(ENDED_BY_SIGTERM);
            assertThat(output.readLine()).isNull();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aPortInUseIsOneLineAndExitCodeTwo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            Process process = bt("thrift", "--port", String.valueOf(taken.getLocalPort()));
            try (BufferedReader output = process.inputReader()) {
                assertThat(output.lines())
                        .singleElement()
                        .asString()
                        .startsWith("bt: REJECTED: cannot listen on 127.0.0.1:" + taken.getLocalPort());
                assertThat(process.waitFor()).isEqualTo(ExitCode.REJECTED);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Process bt(String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dbt.conf.dir=" + Path.of("..", "conf").toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path"),
                "bt.main.Main",
                "--at",
                cluster.at()));
        line.addAll(List.of(words));
        return new ProcessBuilder(line).redirectErrorStream(true).start();
    }
}
