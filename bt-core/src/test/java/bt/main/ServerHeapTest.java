package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ServerHeapTest {
    private static final Pattern FLAG = Pattern.compile("^ *\\S+ (\\w+) += (\\S+)", Pattern.MULTILINE);

    @Test
    void aJvmHasAllOfItFromTheStartAndMarksOnlyAFullOne() throws Exception {
        Map<String, String> flags = flags(ServerHeap.options(96));
        assertThat(flags)
                .containsEntry("InitialHeapSize", String.valueOf(96 << 20))
                .containsEntry("MaxHeapSize", String.valueOf(96 << 20))
                .containsEntry("AlwaysPreTouch", "true")
                .containsEntry("UseG1GC", "true")
                .containsEntry("G1UseAdaptiveIHOP", "false")
                .containsEntry("InitiatingHeapOccupancyPercent", "70");
    }

    /** What is started without a container. */
    @Test
    void theLauncherSaysTheSameAndLeavesTheSizeToWhoGivesOne() throws Exception {
        String launcher = Files.readString(Path.of("..", "bin", "bt"));
        Matcher options =
                Pattern.compile("tabletserver\\)\\s+options=\\(([^)]*)\\)").matcher(launcher);
        assertThat(options.find()).isTrue();
        List<String> said = new ArrayList<>(List.of(options.group(1).trim().split("\\s+")));
        said.add("-Xmx96m");
        Map<String, String> flags = flags(said);
        Map<String, String> ofContainers = flags(ServerHeap.options(96));
        for (String flag :
                List.of("InitialHeapSize", "MaxHeapSize", "G1UseAdaptiveIHOP", "InitiatingHeapOccupancyPercent")) {
            assertThat(flags).containsEntry(flag, ofContainers.get(flag));
        }
    }

    private static Map<String, String> flags(List<String> options) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(options);
        line.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));
        Process java = new ProcessBuilder(line).redirectErrorStream(true).start();
        String printed = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor()).as(printed).isZero();
        return FLAG.matcher(printed).results().collect(Collectors.toMap(flag -> flag.group(1), flag -> flag.group(2)));
    }
}
