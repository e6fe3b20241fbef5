package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.chaos.Reshape.Act;
import bt.examples.chaos.Reshape.Step;
import bt.metadata.MetadataSchema;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReshapeTest {
    @Test
    void everythingIsDoneToEveryTableOfClients() {
        List<Step> steps = Reshape.steps(new Random(1));
        for (String table : List.of(Load.REGISTERS, Load.BANK, Load.COUNTERS, Load.CHAINS)) {
            for (Act act : Act.values()) {
                assertThat(steps).containsOnlyOnce(new Step(table, act));
            }
        }
    }

    @Test
    void metadataIsMovedAndSplit() {
        String metadata = MetadataSchema.SCHEMA.name();
        assertThat(Reshape.steps(new Random(1)))
                .containsOnlyOnce(new Step(metadata, Act.MOVE))
                .containsOnlyOnce(new Step(metadata, Act.SPLIT));
    }

    @Test
    void anotherRollIsAnotherOrder() {
        assertThat(Reshape.steps(new Random(1)))
                .isEqualTo(Reshape.steps(new Random(1)))
                .isNotEqualTo(Reshape.steps(new Random(2)));
    }
}
