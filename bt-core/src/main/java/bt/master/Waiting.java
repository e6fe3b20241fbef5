package bt.master;

import bt.fs.FilePaths;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What sweeps found that nothing needs, and since when: it goes when a sweep finds it so again a grace later. A new master
 * begins to count anew. All of it is named by numbers within a directory, and takes sixteen bytes: there may be millions. One thread.
 */
final class Waiting {
    private final Map<String, Names> directories = new HashMap<>();
    private final long graceNanos;

    Waiting(long graceMillis) {
        this.graceNanos = graceMillis * 1_000_000;
    }

    /** Names within a directory, in order, and when each was found first. */
    private static final class Names {
        private final long[] numbers;
        private final long[] sinceNanos;

        Names(long[] numbers, LongUnaryOperator since) {
            this.numbers = numbers;
            this.sinceNanos = Arrays.stream(numbers).map(since).toArray();
        }

        boolean has(long number) {
            return Arrays.binarySearch(numbers, number) >= 0;
        }

        long since(long number, long otherwise) {
            int at = Arrays.binarySearch(numbers, number);
            return at >= 0 ? sinceNanos[at] : otherwise;
        }
    }

    /**
     * Of what is in the directories that this sweep looked at only these paths are needed by nobody: others begin to wait anew, if ever.
     * What was not among them before waits from now on, if that is to be remembered.
     */
    void found(Predicate<String> looked, Set<String> unneeded, long nowNanos, boolean remember) {
        Map<String, long[]> numbers = unneeded.stream()
                .collect(Collectors.groupingBy(
                        FilePaths::parent, Collectors.collectingAndThen(Collectors.toList(), paths -> paths.stream()
                                .mapToLong(Waiting::number)
                                .sorted()
                                .toArray())));
        directories.keySet().removeIf(directory -> looked.test(directory) && !numbers.containsKey(directory));
        numbers.forEach((directory, found) -> {
            Names before = directories.get(directory);
            long[] kept = remember ? found : known(found, before);
            directories.put(
                    directory, new Names(kept, number -> before == null ? nowNanos : before.since(number, nowNanos)));
        });
    }

    private static long[] known(long[] found, @Nullable Names before) {
        return before == null
                ? new long[0]
                : Arrays.stream(found).filter(before::has).toArray();
    }

    /** How long the path still waits; 0 when its time is over. */
    long millis(String path, long nowNanos) {
        Names names = directories.get(FilePaths.parent(path));
        long since = names == null ? nowNanos : names.since(number(path), nowNanos);
        long left = graceNanos - (nowNanos - since);
        return Math.max(0, (left + 999_999) / 1_000_000);
    }

    private static long number(String path) {
        return Long.parseLong(FilePaths.name(path));
    }
}
