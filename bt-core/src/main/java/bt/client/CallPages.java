package bt.client;

import bt.base.BigtableException;
import bt.protocol.Answer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The pages that an asynchronous call has read, counted until it ends or forgets them. The first comes without a wait, for
 * the call was begun with what it is thought to have; each of the others waits until there is room. One thread at a time.
 */
final class CallPages implements PageRoom {
    private final AsyncCalls calls;
    private final AsyncCall<?> call;

    /** What is counted for the page that is to come; 0 if none is. */
    private long expected;

    /** Of those that have come. */
    private long held;

    /** @param expected what the call was begun with for its first page; 0 where that waits, too */
    CallPages(AsyncCalls calls, AsyncCall<?> call, long expected) {
        this.calls = calls;
        this.call = call;
        this.expected = expected;
    }

    @Override
    public void await(long pageBytes) throws BigtableException, InterruptedException {
        if (expected == 0) {
            calls.awaitMore(call, pageBytes);
            expected = pageBytes;
        }
    }

    @Override
    public void came(long pageBytes) {
        calls.hold(call, pageBytes - expected);
        expected = 0;
        held += pageBytes;
    }

    @Override
    public void take(long bytes) throws BigtableException, InterruptedException {
        if (bytes > 0) {
            calls.awaitMore(call, bytes);
            held += bytes;
        }
    }

    @Override
    public void forget() {
        calls.hold(call, -held);
        held = 0;
    }

    @Override
    public Optional<AheadPage> ahead(long pageBytes, Supplier<CompletableFuture<Answer>> request) {
        return calls.ahead(pageBytes, request);
    }

    @Override
    public Optional<CompletableFuture<Answer>> claim(AheadPage page) {
        Optional<CompletableFuture<Answer>> answer = page.take();
        if (answer.isPresent()) {
            expected += calls.takeOver(call, page);
        }
        return answer;
    }

    @Override
    public boolean isBounded() {
        return true;
    }
}
