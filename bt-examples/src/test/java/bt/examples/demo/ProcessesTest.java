package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {
    /** A shell with a child in the background: a tree of two. */
    private static final List<String> TREE = List.of("/bin/sh", "-c", "sleep 1000 & wait");

    @TempDir
    private Path directory;

    private Workspace workspace = new Workspace(Path.of(""), Path.of(""));

    @BeforeEach
    void makeWorkspace() {
        workspace = new Workspace(directory, directory.resolve("demo"));
    }

    @Test
    void closingEndsWhatEachProcessHasStarted() throws Exception {
        Processes processes = Processes.begin(workspace);
        List<ProcessHandle> tree = start(processes);
        processes.end();
        assertThat(tree).noneMatch(ProcessHandle::isAlive);
        assertThat(workspace.processes()).doesNotExist();
    }

    @Test
    void nothingStartsAfterTheEnd() throws Exception {
        Processes processes = Processes.begin(workspace);
        processes.end();
        assertThatThrownBy(() -> start(processes)).isInstanceOf(IOException.class);
    }

    @Test
    void theNextRunEndsWhatAnEarlierOneKept() throws Exception {
        Processes processes = Processes.begin(workspace);
        List<ProcessHandle> tree = start(processes);
        processes.keep();
        processes.end();
        assertThat(tree).allMatch(ProcessHandle::isAlive);
        forgetThisProcess();
        assertThat(Processes.endLeftOver(workspace)).isEqualTo(1);
        assertThat(tree).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void twoRunsAtOnceAreRefused() throws Exception {
        Processes processes = Processes.begin(workspace);
        assertThatThrownBy(() -> Processes.begin(workspace))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("wait for its end");
        processes.end();
    }

    @Test
    void aDirectoryOfSomebodyElseIsLeftAlone() throws Exception {
        Files.createDirectories(workspace.directory());
        Path file = Files.createFile(workspace.directory().resolve("thesis.tex"));
        assertThatThrownBy(() -> Processes.begin(workspace)).isInstanceOf(RejectedException.class);
        assertThat(file).exists();
    }

    @Test
    void aProcessIdThatIsAnothersByNowIsNotEnded() {
        ProcessHandle here = ProcessHandle.current();
        Started then = new Started("hdfs", here.pid(), Started.of("hdfs", here).startMillis() - 1);
        assertThat(then.living()).isEmpty();
    }

    @Test
    void aTornLineNamesNoProcess() {
        assertThat(Started.parse("hdfs 12")).isEmpty();
        assertThat(Started.parse("hdfs 12 x")).isEmpty();
    }

    private List<ProcessHandle> start(Processes processes) throws Exception {
        Process shell = processes.start("tree", TREE, directory, Map.of());
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> shell.descendants().count() == 1);
        return List.of(shell.toHandle(), shell.descendants().findFirst().orElseThrow());
    }

    /** As if the run that kept its processes were over: its own line is the first. */
    private void forgetThisProcess() throws IOException {
        List<String> lines = Files.readAllLines(workspace.processes());
        Files.write(workspace.processes(), lines.subList(1, lines.size()));
    }
}
