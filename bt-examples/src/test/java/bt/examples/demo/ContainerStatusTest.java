package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContainerStatusTest {
    @Test
    void documentsAreReadAndOtherLinesAreNot() throws IOException {
        List<ContainerStatus> found = ContainerStatus.parse(List.of(
                "lately: container_7 ended",
                "{\"role\":\"tabletserver\",\"state\":\"RUNNING\",\"container\":\"container_1\",\"host\":\"h\",\"pid\":7}",
                "{\"role\":\"tabletserver\",\"state\":\"STARTING\",\"container\":\"container_2\",\"host\":\"h\"}"));
        assertThat(found)
                .containsExactly(
                        new ContainerStatus("tabletserver", "container_1", "h", 7),
                        new ContainerStatus("tabletserver", "container_2", "h", 0));
        assertThat(found).filteredOn(ContainerStatus::isTabletServer).hasSize(1);
    }
}
