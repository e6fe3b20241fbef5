package bt.testing;

import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** A network that tells of every answer when it has come. */
record HeardNetwork(Network plain, BiConsumer<Request, Answer> after) implements Network {
    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        return plain.send(to, request, timeoutMillis).thenApply(answer -> {
            after.accept(request, answer);
            return answer;
        });
    }

    @Override
    public String user() {
        return plain.user();
    }
}
