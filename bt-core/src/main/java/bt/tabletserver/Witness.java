package bt.tabletserver;

import bt.base.Failures;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.TabletListing;
import bt.record.PassOn;
import bt.record.ReachServer;
import bt.record.Reached;
import bt.record.ServerStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Tells the master whether a server that is silent to it answers others, and passes on what that one is to do. Any thread. */
final class Witness {
    private static final long ANSWER_MILLIS = 3_000;

    /** A tablet is written to files before it leaves. */
    private static final long ORDER_MILLIS = 60_000;

    private final Network network;

    Witness(Network network) {
        this.network = network;
    }

    CompletableFuture<Reached> reach(ReachServer question) {
        // Without its tablets, whose list may be too long for one answer, or for the time.
        Request status = new Request.Control(TabletListing.question(0, TabletListing.NO_TABLETS));
        return network.send(Address.parse(question.getAddress()), status, ANSWER_MILLIS)
                .handle((answer, failure) -> seen(answer, failure, question.getEpoch()));
    }

    /**
     * Whoever refuses lives, and was heard. It may be a new tenant of the address too: the lock of the one before it ends by
     * itself, and nobody needs to be taken for dead. OVERLOADED it may be that says so, and lives, or the connection here, on which
     * nothing comes back from it: that tells nothing, and the master has to ask another.
     */
    private static Reached seen(@Nullable Answer answer, @Nullable Throwable failure, long epoch) {
        if (failure == null) {
            return new Reached(isStatusOf(answer, epoch));
        }
        Throwable why = Failures.unwrap(failure);
        if (why instanceof OverloadedException) {
            throw new CompletionException(why);
        }
        return new Reached(why instanceof RejectedException);
    }

    /** Whether this is the master's order is for the one to judge that carries it out. */
    CompletableFuture<Answer> passOn(PassOn message) {
        return network.send(Address.parse(message.getAddress()), new Request.Control(message.getOrder()), ORDER_MILLIS);
    }

    /** An address may have a new tenant. */
    private static boolean isStatusOf(@Nullable Answer answer, long epoch) {
        return answer instanceof Answer.Control control
                && control.message() instanceof ServerStatus status
                && status.getEpoch() == epoch;
    }
}
