package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.Operation;
import bt.client.Operation.Kind;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OperationsCommandTest {
    private static final Operation DRAIN =
            new Operation("drain/w1", Kind.DRAIN, "w1", 3, OptionalLong.empty(), false, Optional.empty());

    private static final Operation COMPACTION =
            new Operation("compaction/web", Kind.COMPACTION, "web", 5, OptionalLong.empty(), false, Optional.empty());

    @Test
    void aLineSaysHowFarItIs() {
        assertThat(OperationsCommand.text(DRAIN)).isEqualTo("drain/w1\t3 tablets left");
        assertThat(OperationsCommand.text(
                        new Operation("drain/w1", Kind.DRAIN, "w1", 0, OptionalLong.empty(), true, Optional.empty())))
                .isEqualTo("drain/w1\tdone");
        assertThat(OperationsCommand.text(new Operation(
                        "recovery/w1/7", Kind.RECOVERY, "w1", 2, OptionalLong.of(2_100), false, Optional.empty())))
                .isEqualTo("recovery/w1/7\t2 tablets left\tabout 3 s left");
        assertThat(OperationsCommand.text(COMPACTION)).isEqualTo("compaction/web\t5 tablets left");
    }

    @Test
    void whatHindersIsToldWithWhatToDo() {
        Operation hindered = new Operation(
                "flush/web", Kind.FLUSH, "web", 1, OptionalLong.empty(), false, Optional.of("1/a: f at 8: damaged"));
        assertThat(OperationsCommand.text(hindered))
                .startsWith("flush/web\t1 tablets left\t")
                .contains("bt operations --cancel flush/web")
                .endsWith(": 1/a: f at 8: damaged");
        assertThat(OperationsCommand.document(hindered)).containsEntry("hindrance", "1/a: f at 8: damaged");
        assertThat(OperationsCommand.document(COMPACTION)).doesNotContainKey("hindrance");
    }

    @Test
    void aDocumentLeavesOutWhatIsNotKnown() {
        assertThat(OperationsCommand.document(DRAIN))
                .containsEntry("id", "drain/w1")
                .containsEntry("kind", "drain")
                .containsEntry("tabletsLeft", 3L)
                .containsEntry("server", "w1")
                .containsEntry("done", false)
                .doesNotContainKey("millisLeft");
        assertThat(OperationsCommand.document(COMPACTION))
                .containsEntry("kind", "compaction")
                .containsEntry("table", "web")
                .doesNotContainKey("server");
    }
}
