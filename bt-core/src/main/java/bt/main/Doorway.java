package bt.main;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Listens before its server exists, because a server must know its address to come into being. Any thread. */
final class Doorway implements Service {
    private volatile @Nullable Service inside;

    void open(Service service) {
        inside = service;
    }

    @Override
    public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
        Service service = inside;
        if (service == null) {
            return CompletableFuture.failedFuture(
                    new UnavailableException("this process is still starting", Outcome.NOT_APPLIED));
        }
        return service.handle(caller, request);
    }
}
