package bt.tabletserver;

import bt.protocol.Answer;
import bt.protocol.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/** Gathers the results of the writes of one request, in whatever order they come; each comes once. Any thread. */
final class Replies {
    private final AtomicReferenceArray<WriteResult> results;
    private final AtomicInteger missing;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    Replies(int writes) {
        results = new AtomicReferenceArray<>(writes);
        missing = new AtomicInteger(writes);
        if (writes == 0) {
            answer.complete(new Answer.Mutated(List.of()));
        }
    }

    CompletableFuture<Answer> answer() {
        return answer;
    }

    /** Where the result of the request's n-th write goes. */
    Consumer<WriteResult> of(int write) {
        return result -> {
            if (results.compareAndSet(write, null, result) && missing.decrementAndGet() == 0) {
                List<WriteResult> all = new ArrayList<>(results.length());
                for (int i = 0; i < results.length(); i++) {
                    all.add(results.get(i));
                }
                answer.complete(new Answer.Mutated(all));
            }
        };
    }
}
