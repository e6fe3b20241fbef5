package bt.testing;

import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A network that tells of every change of METADATA, before it is sent and once its sender knows that it is made. */
record SteppedNetwork(Network inner, Consumer<CrashPoint> at) implements Network {
    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        if (!(request instanceof Request.Mutate change) || change.tableId() != TableSchema.METADATA_ID) {
            return inner.send(to, request, timeoutMillis);
        }
        at.accept(CrashPoint.BEFORE_METADATA_CHANGES);
        return inner.send(to, request, timeoutMillis).whenComplete((answer, failure) -> {
            if (answer instanceof Answer.Mutated mutated && isMade(mutated)) {
                at.accept(CrashPoint.AFTER_METADATA_CHANGES);
            }
        });
    }

    private static boolean isMade(Answer.Mutated answer) {
        return answer.results().stream().allMatch(result -> result.failure().isEmpty());
    }

    @Override
    public String user() {
        return inner.user();
    }
}
