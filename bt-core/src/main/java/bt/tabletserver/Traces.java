package bt.tabletserver;

import bt.base.Clock;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.WriteResult;
import bt.record.RequestTrace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One request of so many is traced, and of these traces the slowest are kept: of gets, scans and writes apart, or writes
 * would leave no room for anything else, and of METADATA's apart from users'. Any thread; a request that is not traced costs
 * one addition.
 */
final class Traces {
    private static final Comparator<RequestTrace> SLOWEST_FIRST =
            Comparator.comparingLong(RequestTrace::getTotalMicros).reversed();

    private final Clock clock;
    private final int oneOf;
    private final AtomicLong requests = new AtomicLong();
    private final Map<Group, SlowestTraces> kept = new ConcurrentHashMap<>();

    /** What is kept together. */
    private record Group(String kind, boolean ofMetadata) {}

    /** 0 traces none. */
    Traces(Clock clock, int oneOf) {
        this.clock = clock;
        this.oneOf = oneOf;
    }

    /** Whether the request that has just come is one of those that are traced. */
    boolean wantsNext() {
        return oneOf > 0 && requests.incrementAndGet() % oneOf == 0;
    }

    Trace begin(Trace.Came came, Caller caller) {
        return Trace.of(came, caller, clock);
    }

    /** Keeps the trace once the request's answer is ready. */
    void keep(Trace trace, CompletableFuture<?> answer) {
        if (trace.isKept()) {
            CompletableFuture<?> unused = answer.whenComplete(
                    (done, failure) -> add(trace.end(done instanceof Answer.Mutated of ? failureIn(of) : failure)));
        }
    }

    /** The slowest first, at most so many; of one kind, or of all. */
    List<RequestTrace> slowest(int most, Optional<String> kind) {
        List<RequestTrace> all = new ArrayList<>();
        kept.forEach((of, traces) -> {
            if (kind.isEmpty() || kind.get().equals(of.kind())) {
                all.addAll(traces.all(clock.nanos()));
            }
        });
        all.sort(SLOWEST_FIRST);
        return List.copyOf(all.subList(0, Math.max(0, Math.min(most, all.size()))));
    }

    private void add(RequestTrace trace) {
        Group of = new Group(trace.getKind(), trace.getTableId() == TableSchema.METADATA_ID);
        kept.computeIfAbsent(of, first -> new SlowestTraces(clock.nanos())).add(trace, clock.nanos());
    }

    private static @Nullable Throwable failureIn(Answer.Mutated answer) {
        for (WriteResult result : answer.results()) {
            if (result.failure().isPresent()) {
                return result.failure().get();
            }
        }
        return null;
    }
}
