package bt.tabletserver;

import bt.base.BigtableException;
import bt.model.TabletId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Tablets that are on their way in or out, of which METADATA has not said whether they have come or left. The set of tablets has
 * none that is served of them, so that this alone tells of them. Any thread.
 */
final class Undecided {
    private final Patience patience;
    private final Map<TabletId, Told> open = new ConcurrentSkipListMap<>();

    Undecided(Patience patience) {
        this.patience = patience;
    }

    /** What operators hear, should it last. */
    record Told(String what, Trouble trouble) {
        private Optional<String> lasting(long nowNanos) {
            return trouble.lasting(nowNanos).map(why -> what + ": " + why);
        }
    }

    /** Asks METADATA, and if that decides nothing, it is told of the tablet until it does, or fails. */
    boolean isDecided(TabletId id, Told told, Patience.Asking attempt) throws BigtableException, InterruptedException {
        open.put(id, told);
        boolean isOpen = false;
        try {
            isOpen = patience.ask(attempt).isPresent();
            return !isOpen;
        } finally {
            if (!isOpen) {
                open.remove(id, told);
            }
        }
    }

    /** Whether METADATA may be told yet that it has come, or left. */
    boolean isOpen(TabletId id) {
        return open.containsKey(id);
    }

    /** Of those with which it has lasted. */
    List<String> problems(long nowNanos) {
        return open.values().stream()
                .flatMap(told -> told.lasting(nowNanos).stream())
                .toList();
    }
}
