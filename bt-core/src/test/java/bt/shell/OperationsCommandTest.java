package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Operation;
import bt.client.Operation.Kind;
import bt.client.Operation.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OperationsCommandTest {
    private static final Operation DRAIN =
            new Operation("drain/w1", Kind.DRAIN, "w1", 3, OptionalLong.empty(), false, Optional.empty(), List.of());

    private static final Operation COMPACTION = new Operation(
            "compaction/web", Kind.COMPACTION, "web", 5, OptionalLong.empty(), false, Optional.empty(), List.of());

    @Test
    void aLineSaysHowFarItIs() {
        assertThat(OperationsCommand.text(DRAIN)).isEqualTo("drain/w1\t3 tablets left");
        assertThat(OperationsCommand.text(new Operation(
                        "drain/w1", Kind.DRAIN, "w1", 0, OptionalLong.empty(), true, Optional.empty(), List.of())))
                .isEqualTo("drain/w1\tdone");
        assertThat(OperationsCommand.text(new Operation(
                        "recovery/w1/7",
                        Kind.RECOVERY,
                        "w1",
                        2,
                        OptionalLong.of(2_100),
                        false,
                        Optional.empty(),
                        List.of())))
                .isEqualTo("recovery/w1/7\t2 tablets left\tabout 3 s left");
        assertThat(OperationsCommand.text(COMPACTION)).isEqualTo("compaction/web\t5 tablets left");
    }

    @Test
    void whatHindersIsToldWithWhatToDo() {
        Operation hindered = new Operation(
                "flush/web",
                Kind.FLUSH,
                "web",
                1,
                OptionalLong.empty(),
                false,
                Optional.of("1/a: f at 8: damaged"),
                List.of());
        assertThat(OperationsCommand.text(hindered))
                .startsWith("flush/web\t1 tablets left\t")
                .contains("bt operations --cancel flush/web")
                .endsWith(": 1/a: f at 8: damaged");
        assertThat(OperationsCommand.document(hindered)).containsEntry("hindrance", "1/a: f at 8: damaged");
        assertThat(OperationsCommand.document(COMPACTION)).doesNotContainKey("hindrance");
    }

    @Test
    void whatIsRefusedIsToldByItsRow() {
        Operation refused = new Operation(
                "split/web",
                Kind.SPLIT,
                "web",
                0,
                OptionalLong.empty(),
                true,
                Optional.empty(),
                List.of(
                        new Refusal(Bytes.utf8("m"), BigtableException.Kind.CORRUPTION, "f at 8: damaged"),
                        new Refusal(Bytes.EMPTY, BigtableException.Kind.REJECTED, "of one row")));
        assertThat(OperationsCommand.text(refused))
                .isEqualTo("split/web\tdone\trefused at m: f at 8: damaged\trefused: of one row");
        assertThat(OperationsCommand.document(refused))
                .containsEntry(
                        "refusals",
                        List.of(
                                Map.of("row", "m", "kind", "CORRUPTION", "why", "f at 8: damaged"),
                                Map.of("kind", "REJECTED", "why", "of one row")));
        assertThat(OperationsCommand.document(COMPACTION)).doesNotContainKey("refusals");
    }

    @Test
    void aLineIsPrintedWhenItTellsSomethingElse() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Consumer<Operation> lines = new OperationsCommand.ChangedLines(new PrintStream(printed, true, UTF_8));
        lines.accept(DRAIN);
        lines.accept(DRAIN);
        lines.accept(COMPACTION);
        assertThat(printed.toString(UTF_8).lines())
                .containsExactly("drain/w1\t3 tablets left", "compaction/web\t5 tablets left");
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
