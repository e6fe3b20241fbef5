package bt.examples.chaos;

/** Whether a number that others make smaller was made larger: it is above the least that it was seen to be. One thread at a time. */
final class Rise {
    private long least;

    Rise(long first) {
        least = first;
    }

    boolean hasRisen(long seen) {
        least = Math.min(least, seen);
        return seen > least;
    }
}
