package bt.testing;

import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** A network that tells of every request before it is sent. */
public record WatchedNetwork(Network plain, BiConsumer<Address, Request> before) implements Network {
    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        before.accept(to, request);
        return plain.send(to, request, timeoutMillis);
    }

    @Override
    public String user() {
        return plain.user();
    }
}
