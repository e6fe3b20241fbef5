package bt.examples.bench;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A port that listens before there is who answers: a server must know its address to be made. */
final class Doorway implements Service {
    private volatile Optional<Service> behind = Optional.empty();

    void open(Service service) {
        behind = Optional.of(service);
    }

    @Override
    public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
        Optional<Service> service = behind;
        return service.isPresent()
                ? service.get().handle(caller, request)
                : CompletableFuture.failedFuture(new UnavailableException("nobody is here yet", Outcome.NOT_APPLIED));
    }
}
