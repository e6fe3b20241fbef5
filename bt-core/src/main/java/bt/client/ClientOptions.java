package bt.client;

import static bt.base.Check.checkGiven;

import java.time.Duration;

/**
 * What bounds one client: how long its calls take, and how much it holds and has under way. A value; {@link #DEFAULT} is
 * what is meant where nothing is said, and each method makes another value of this one. IllegalArgumentException beyond
 * the ranges that are stated. Looking up tablets, and all of {@link Admin}, have times of their own. The paper has
 * nothing of such bounds.
 *
 * @param operationTimeout of a write, of one that is waited for as of one that is not, of a transaction, of {@link
 *     Table#applyAll}, of a read of one row (of each page of one that is larger than a page), all attempts and pauses
 *     together: 100 ms to 5 minutes, for a server remembers for ten what became of a write; a minute
 * @param pageTimeout of one page of a scan, likewise: 100 ms to 5 minutes; a minute
 * @param requestTimeout of one attempt, after which a server that hangs is given up and the next attempt is made: 10 ms to
 *     a minute. One page may work for a second, with a script for five: 15 seconds
 * @param batchMutations that a {@link BatchWriter} holds, before {@link BatchWriter#add} waits: 1 to 100,000; 10,000
 * @param batchBytes of these together, roughly: 64 KiB to 1 GiB; 4 MiB. Where more than four batch writers are open in a
 *     client, each has an equal share of what four may hold, of 1 MiB at least (or of batchBytes, if that is less). A mutation
 *     that is larger is held alone
 * @param batchRequests that a batch writer has on their way at a time, a thread for each: 1 to 64; 4
 * @param asyncCalls of all asynchronous tables under way at a time: 1 to 10,000; 1,000. Each of them that has to wait takes a
 *     thread of the client meanwhile: few where all is served, as many as this and 64 more at the worst
 * @param asyncBytes of their requests and answers together; a larger one goes alone: 1 MiB to 16 GiB; 64 MiB
 * @param scanRequests that a scan of several ranges has on their way at a time: 1 to 64; 4
 */
public record ClientOptions(
        Duration operationTimeout,
        Duration pageTimeout,
        Duration requestTimeout,
        int batchMutations,
        long batchBytes,
        int batchRequests,
        int asyncCalls,
        long asyncBytes,
        int scanRequests) {
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(5);

    /** What holds where nothing is said. */
    public static final ClientOptions DEFAULT = new ClientOptions(
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofSeconds(15),
            10_000,
            4 << 20,
            4,
            1_000,
            64 << 20,
            4);

    public ClientOptions {
        checkTime("operationTimeout", operationTimeout, LEAST_TIMEOUT, LONGEST_TIMEOUT);
        checkTime("pageTimeout", pageTimeout, LEAST_TIMEOUT, LONGEST_TIMEOUT);
        checkTime("requestTimeout", requestTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        checkNumber("batchMutations", batchMutations, 1, 100_000);
        checkNumber("batchBytes", batchBytes, 64 << 10, 1 << 30);
        checkNumber("batchRequests", batchRequests, 1, 64);
        checkNumber("asyncCalls", asyncCalls, 1, 10_000);
        checkNumber("asyncBytes", asyncBytes, 1 << 20, 16L << 30);
        checkNumber("scanRequests", scanRequests, 1, 64);
    }

    /** With another time for a write, a transaction, or the read of a row: 100 ms to 5 minutes. */
    public ClientOptions operationTimeout(Duration most) {
        return times(most, pageTimeout, requestTimeout);
    }

    /** With another time for a page of a scan: 100 ms to 5 minutes. */
    public ClientOptions pageTimeout(Duration most) {
        return times(operationTimeout, most, requestTimeout);
    }

    /** With another time for one attempt: 10 ms to a minute. */
    public ClientOptions requestTimeout(Duration most) {
        return times(operationTimeout, pageTimeout, most);
    }

    /** With batch writers that hold other amounts: 1 to 100,000 mutations, 64 KiB to 1 GiB. */
    public ClientOptions batches(int mutations, long bytes) {
        return batches(mutations, bytes, batchRequests);
    }

    /** With batch writers of another number of requests at a time: 1 to 64. */
    public ClientOptions batchRequests(int most) {
        return batches(batchMutations, batchBytes, most);
    }

    /** With other amounts of asynchronous calls under way: 1 to 10,000, and 1 MiB to 16 GiB. */
    public ClientOptions async(int calls, long bytes) {
        return underWay(calls, bytes, scanRequests);
    }

    /** With scans of another number of requests at a time: 1 to 64. */
    public ClientOptions scanRequests(int most) {
        return underWay(asyncCalls, asyncBytes, most);
    }

    private ClientOptions times(Duration operation, Duration page, Duration request) {
        return new ClientOptions(
                operation,
                page,
                request,
                batchMutations,
                batchBytes,
                batchRequests,
                asyncCalls,
                asyncBytes,
                scanRequests);
    }

    private ClientOptions batches(int mutations, long bytes, int requests) {
        return new ClientOptions(
                operationTimeout,
                pageTimeout,
                requestTimeout,
                mutations,
                bytes,
                requests,
                asyncCalls,
                asyncBytes,
                scanRequests);
    }

    private ClientOptions underWay(int calls, long bytes, int requests) {
        return new ClientOptions(
                operationTimeout,
                pageTimeout,
                requestTimeout,
                batchMutations,
                batchBytes,
                batchRequests,
                calls,
                bytes,
                requests);
    }

    private static void checkTime(String name, Duration time, Duration least, Duration most) {
        checkGiven(
                time.compareTo(least) >= 0 && time.compareTo(most) <= 0,
                "%s of %s",
                "give %s to %s",
                name,
                time,
                least,
                most);
    }

    private static void checkNumber(String name, long number, long least, long most) {
        checkGiven(number >= least && number <= most, "%s of %s", "give %s to %s", name, number, least, most);
    }
}
