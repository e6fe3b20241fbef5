package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.metadata.MetadataSchema;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.testing.history.Anomaly;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GenerationWatchTest {
    private static final ColumnKey PLACE = ColumnKey.of(MetadataSchema.LOCATION, "place");

    private final GenerationWatch watch = new GenerationWatch();
    private WriteResult result = WriteResult.applied(1);
    private final Service server =
            watch.over((caller, request) -> CompletableFuture.completedFuture(new Answer.Mutated(List.of(result))));

    @Test
    void oneChangeOfEachGenerationIsRight() {
        change(1, 1);
        change(2, 2);
        // Sent once more, as after a lost answer.
        change(2, 2);
        assertThat(watch.anomalies()).isEmpty();
    }

    @Test
    void twoChangesOfOneGenerationAreFound() {
        change(1, 1);
        change(2, 2);
        change(2, 3);
        assertThat(watch.anomalies()).extracting(Anomaly::checker).containsExactly("generations");
    }

    @Test
    void aChangeThatWasRefusedIsNone() {
        change(2, 2);
        result = WriteResult.failed(new RejectedException("the condition does not hold", "ask for another"));
        change(2, 3);
        assertThat(watch.anomalies()).isEmpty();
    }

    @Test
    void aRowThatWasRemovedBeginsAnew() {
        change(0, 1);
        send(RowMutation.of("row").deleteRow().build(), 2);
        change(0, 3);
        assertThat(watch.anomalies()).isEmpty();
    }

    private void change(long generation, long number) {
        send(RowMutation.of("row").set(PLACE, generation, Bytes.utf8("x")).build(), number);
    }

    private void send(RowMutation mutation, long number) {
        Write write = new Write(mutation, new WriteId(7, number, number), Optional.empty());
        var unused = server.handle(
                new Caller("test", "test", 0), new Request.Mutate(TableSchema.METADATA_ID, List.of(write)));
    }
}
