package bt.simulation;

import static bt.base.Check.checkArgument;

import java.util.List;

/**
 * How much happens in a simulated life.
 *
 * @param operations of each client
 * @param troubles how many, of {@code kinds}; one that is named twice is twice as likely
 * @param pauseMillis of a client between two operations, at most
 * @param flushBytes from how many bytes on a memtable becomes a file
 */
record Script(int clients, int operations, long pauseMillis, int troubles, List<Trouble> kinds, long flushBytes) {
    static final Script DEFAULT = new Script(4, 40, 700, 7, List.copyOf(Trouble.all()), 3_000);

    Script {
        kinds = List.copyOf(kinds);
        checkArgument(clients > 0 && operations > 0, "%d clients, %d operations", clients, operations);
    }

    /** With these kinds of trouble alone. */
    Script of(int number, Trouble... wanted) {
        return new Script(clients, operations, pauseMillis, number, List.of(wanted), flushBytes);
    }

    /** Clients do more, and hardly pause. */
    Script busy() {
        return new Script(clients, 6 * operations, pauseMillis / 5, troubles, kinds, flushBytes);
    }

    Script flushing(long bytes) {
        return new Script(clients, operations, pauseMillis, troubles, kinds, bytes);
    }
}
