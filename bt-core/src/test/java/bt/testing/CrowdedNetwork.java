package bt.testing;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The way to a server that takes so many writes at once and a while for each request, refuses the others, and says when to
 * come again. Counts what came that should not have. For the simulator, whose threads run one at a time.
 */
public final class CrowdedNetwork implements Network {
    private static final long REQUEST_MILLIS = 10;

    private final Network network;
    private final Scheduler scheduler;
    private final int capacity;
    private final long retryAfterMillis;
    private int underWay;
    private long toldNanos;
    private boolean told;
    private long taken;
    private long refused;
    private long early;

    public CrowdedNetwork(Network network, Scheduler scheduler, int capacity, long retryAfterMillis) {
        this.network = network;
        this.scheduler = scheduler;
        this.capacity = capacity;
        this.retryAfterMillis = retryAfterMillis;
    }

    /** Writes that were let through. */
    public long taken() {
        return taken;
    }

    /** Writes that came when there was no room, each as often as it came. */
    public long refused() {
        return refused;
    }

    /** Requests that were sent after somebody had been told when to come again, and before that. */
    public long early() {
        return early;
    }

    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        if (!(request instanceof Request.Mutate mutate)) {
            return network.send(to, request, timeoutMillis);
        }
        long sinceMillis = TimeUnit.NANOSECONDS.toMillis(scheduler.clock().nanos() - toldNanos);
        if (told && sinceMillis >= 1 && sinceMillis < retryAfterMillis) {
            early++;
        }
        int writes = mutate.writes().size();
        int room = Math.min(writes, capacity - underWay);
        taken += room;
        refused += writes - room;
        if (room == 0) {
            return CompletableFuture.failedFuture(tell());
        }
        underWay += room;
        Request part = new Request.Mutate(mutate.tableId(), mutate.writes().subList(0, room));
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        CompletableFuture<?> unused = network.send(to, part, timeoutMillis)
                .whenComplete((result, failure) -> scheduler.after(REQUEST_MILLIS, () -> {
                    underWay -= room;
                    if (failure != null) {
                        answer.completeExceptionally(failure);
                    } else {
                        answer.complete(padded((Answer.Mutated) result, writes - room));
                    }
                }));
        return answer;
    }

    private Answer padded(Answer.Mutated part, int others) {
        List<WriteResult> results = new ArrayList<>(part.results());
        for (int i = 0; i < others; i++) {
            results.add(WriteResult.failed(tell()));
        }
        return new Answer.Mutated(results);
    }

    private BigtableException tell() {
        told = true;
        toldNanos = scheduler.clock().nanos();
        return new OverloadedException("the server is crowded", retryAfterMillis);
    }
}
