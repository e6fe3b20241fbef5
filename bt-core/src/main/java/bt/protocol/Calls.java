package bt.protocol;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.FencedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.protocol.Answer.Page;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * Requests whose answer is waited for, with the type that belongs to the request. FENCED is said of oneself: a server
 * that answers so is UNAVAILABLE to us.
 */
public final class Calls {
    private final Network network;
    private final Scheduler scheduler;
    private final long longestMillis;

    /** No call waits longer than this, whatever its deadline: a server that hangs must not eat all of it. */
    public Calls(Network network, Scheduler scheduler, long longestMillis) {
        this.network = network;
        this.scheduler = scheduler;
        this.longestMillis = longestMillis;
    }

    public Page scan(Address to, Request.Scan request, Deadline deadline)
            throws BigtableException, InterruptedException {
        return await(to, send(to, request, deadline), Page.class, deadline);
    }

    /** As many results as the request has writes. */
    public List<WriteResult> mutate(Address to, Request.Mutate request, Deadline deadline)
            throws BigtableException, InterruptedException {
        return results(to, request, send(to, request, deadline), deadline);
    }

    public List<WriteResult> results(
            Address to, Request.Mutate request, CompletableFuture<Answer> sent, Deadline deadline)
            throws BigtableException, InterruptedException {
        List<WriteResult> results =
                await(to, sent, Answer.Mutated.class, deadline).results();
        if (results.size() != request.writes().size()) {
            throw new CorruptionException(to + ": " + results.size() + " results for "
                    + request.writes().size() + " writes");
        }
        boolean hasFailures = false;
        for (WriteResult result : results) {
            hasFailures |= result.failure().isPresent();
        }
        return hasFailures ? results.stream().map(result -> theirs(to, result)).toList() : results;
    }

    /** What became of one write says FENCED of its server too. */
    private static WriteResult theirs(Address to, WriteResult result) {
        return result.failure().isPresent() && result.failure().get() instanceof FencedException fenced
                ? WriteResult.failed(theirs(to, fenced))
                : result;
    }

    /** Nothing is lost by it: who is told UNAVAILABLE looks for the server that is not fenced, and knows the outcome. */
    private static UnavailableException theirs(Address to, FencedException fenced) {
        UnavailableException failure = new UnavailableException(to + ": " + fenced.getMessage(), fenced.outcome());
        failure.initCause(fenced);
        return failure;
    }

    public <T extends SpecificRecord> T control(Address to, SpecificRecord message, Class<T> type, Deadline deadline)
            throws BigtableException, InterruptedException {
        return control(to, send(to, new Request.Control(message), deadline), type, deadline);
    }

    /** The end of a call that was begun with a control message. */
    public <T extends SpecificRecord> T control(
            Address to, CompletableFuture<Answer> sent, Class<T> type, Deadline deadline)
            throws BigtableException, InterruptedException {
        SpecificRecord answer = await(to, sent, Answer.Control.class, deadline).message();
        if (!type.isInstance(answer)) {
            throw new CorruptionException(
                    to + ": answered a " + answer.getSchema().getName() + ", expected a " + type.getSimpleName());
        }
        return type.cast(answer);
    }

    /** Begins a call; {@link #await} ends it. */
    public CompletableFuture<Answer> send(Address to, Request request, Deadline deadline) {
        return network.send(to, request, millis(deadline));
    }

    /** The same of a page, whose edge may be told while it is still coming; see {@link Network}. */
    public CompletableFuture<Answer> send(Address to, Request.Scan request, Deadline deadline, Consumer<Bytes> edge) {
        return network.send(to, request, millis(deadline), edge);
    }

    public <T extends Answer> T await(Address to, CompletableFuture<Answer> sent, Class<T> type, Deadline deadline)
            throws BigtableException, InterruptedException {
        try {
            // The network keeps its own time; this one only guards against a network that forgets a request.
            Answer answer = scheduler.await(sent, millis(deadline) + 1_000);
            if (!type.isInstance(answer)) {
                throw new CorruptionException(to + ": answered a "
                        + answer.getClass().getSimpleName() + ", expected a " + type.getSimpleName());
            }
            return type.cast(answer);
        } catch (FencedException fenced) {
            throw theirs(to, fenced);
        }
    }

    private long millis(Deadline deadline) {
        return Math.max(1, Math.min(longestMillis, deadline.leftMillis()));
    }
}
