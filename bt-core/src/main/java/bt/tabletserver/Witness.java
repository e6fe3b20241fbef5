package bt.tabletserver;

import bt.base.Failures;
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
                .handle((answer, failure) ->
                        new Reached(failure == null ? isStatusOf(answer, question.getEpoch()) : isRefusal(failure)));
    }

    /**
     * Whoever refuses lives, and was heard. It may be a new tenant of the address too: the lock of the one before it ends by
     * itself, and nobody needs to be taken for dead.
     */
    private static boolean isRefusal(Throwable failure) {
        return Failures.unwrap(failure) instanceof RejectedException;
    }

    /** Whether this is the master's order is for the one to judge that carries it out. */
    CompletableFuture<Answer> passOn(PassOn message) {
        return network.send(Address.parse(message.getAddress()), new Request.Control(message.getOrder()), ORDER_MILLIS);
    }

    /** An address may have a new tenant. */
    private static boolean isStatusOf(Answer answer, long epoch) {
        return answer instanceof Answer.Control control
                && control.message() instanceof ServerStatus status
                && status.getEpoch() == epoch;
    }
}
