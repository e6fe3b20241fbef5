package bt.master;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.record.FileReference;
import bt.record.TabletState;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's host that has most of a tablet's blocks: reads there need no network. By its largest file, since each answer costs
 * two questions to the file system. Those are put by workers of a pool: a file system that is slow or away must not keep
 * tablets from being given to somebody, wherever their blocks are. Owned by the master's thread.
 */
final class Homes {
    /** Questions at a time, and how many may wait. */
    static final int ASKERS = 8;

    static final int MOST_ASKED = 10_000;

    private static final Logger log = LoggerFactory.getLogger(Homes.class);
    private static final int MAX_KNOWN = 100_000;

    /** Replicas move: where they were is a guess after that, good until somebody has said where they are. */
    private static final long FRESH_MILLIS = 600_000;

    /** Of a file that no host has: its datanodes have perhaps not told yet. */
    private static final long NOWHERE_MILLIS = 10_000;

    /** For the answers to all that is asked at a time. */
    private static final long WAIT_MILLIS = 1_000;

    private final FileStore files;
    private final Scheduler scheduler;
    private final WorkerPool askers;
    private final Map<String, Question> asked = new LinkedHashMap<>();
    private final Map<String, Known> known = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > MAX_KNOWN;
        }
    };

    /** The pool takes {@link #MOST_ASKED}. */
    Homes(FileStore files, Scheduler scheduler, WorkerPool askers) {
        this.files = files;
        this.scheduler = scheduler;
        this.askers = askers;
    }

    private record Question(long sinceNanos, CompletableFuture<List<String>> answer) {}

    /** Where a file was. */
    private record Known(List<String> hosts, long sinceNanos) {}

    /** The file that decides; empty for a tablet without any. */
    static Optional<String> largestFile(TabletState state) {
        return state.getFiles().stream()
                .max(Comparator.comparingLong(FileReference::getBytes).thenComparing(FileReference::getPath))
                .map(FileReference::getPath);
    }

    /**
     * Of these hosts, by the names that the servers on them go by, the one with most of the file; empty where none has any, where nobody
     * can say, or not yet. Waits for nothing.
     */
    Optional<String> of(Optional<String> file, Set<String> among) {
        if (file.isEmpty()) {
            return Optional.empty();
        }
        learn();
        ask(file.get());
        return Optional.ofNullable(known.get(file.get())).stream()
                .flatMap(last -> last.hosts().stream())
                .filter(among::contains)
                .findFirst();
    }

    /**
     * Asks for all of these, and waits a moment for the answers, unless those to earlier questions do not come; not for those of which
     * an answer is known that has grown old.
     */
    void ask(Collection<String> paths) throws InterruptedException {
        learn();
        Iterator<Question> eldest = asked.values().iterator();
        boolean isSlow = eldest.hasNext() && leftMillis(eldest.next().sinceNanos()) <= 0;
        paths.forEach(this::ask);
        long beganNanos = scheduler.clock().nanos();
        List<Question> questions = asked.entrySet().stream()
                .filter(question -> !known.containsKey(question.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        for (Question question : questions) {
            long leftMillis = leftMillis(beganNanos);
            if (isSlow || leftMillis <= 0) {
                return;
            }
            await(question, leftMillis);
        }
    }

    private long leftMillis(long sinceNanos) {
        return WAIT_MILLIS - (scheduler.clock().nanos() - sinceNanos) / 1_000_000;
    }

    private void await(Question question, long leftMillis) throws InterruptedException {
        try {
            List<String> unused = scheduler.await(question.answer(), leftMillis);
        } catch (BigtableException unknown) {
            log.debug("not known yet: {}", unknown.getMessage());
        }
    }

    private void ask(String path) {
        if (isFresh(known.get(path)) || asked.containsKey(path) || asked.size() >= MOST_ASKED) {
            return;
        }
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        asked.put(path, new Question(scheduler.clock().nanos(), answer));
        askers.execute(() -> {
            try {
                answer.complete(files.hosts(path));
            } catch (BigtableException | RuntimeException failed) {
                answer.completeExceptionally(
                        new UnavailableException(path + ": where its blocks are").causedBy(failed));
            }
        });
    }

    private boolean isFresh(@Nullable Known last) {
        if (last == null) {
            return false;
        }
        long ageMillis = (scheduler.clock().nanos() - last.sinceNanos()) / 1_000_000;
        return ageMillis < (last.hosts().isEmpty() ? NOWHERE_MILLIS : FRESH_MILLIS);
    }

    /** What was answered. A question that failed may be put again. */
    private void learn() {
        asked.entrySet().removeIf(entry -> {
            CompletableFuture<List<String>> answer = entry.getValue().answer();
            if (answer.isDone() && !answer.isCompletedExceptionally()) {
                known.put(
                        entry.getKey(),
                        new Known(answer.join(), entry.getValue().sinceNanos()));
            }
            return answer.isDone();
        });
    }
}
