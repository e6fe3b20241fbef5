package bt.testing;

import bt.base.UnavailableException;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Some requests are done, and their sender does not hear of it. */
public final class LossyNetwork implements Network {
    private final Network inner;
    private final Predicate<Request> loses;

    public LossyNetwork(Network inner, Predicate<Request> loses) {
        this.inner = inner;
        this.loses = loses;
    }

    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        boolean isLost = loses.test(request);
        return inner.send(to, request, timeoutMillis)
                .thenCompose(answer -> isLost
                        ? CompletableFuture.failedFuture(new UnavailableException("the answer was lost"))
                        : CompletableFuture.completedFuture(answer));
    }

    @Override
    public String user() {
        return inner.user();
    }
}
