package bt.master;

import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TabletId;
import bt.record.Phase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Which of METADATA's rows of users' tables a pass reads: those of tablets for which it may have something to do, those that somebody
 * wishes to be merged, and a stretch for an {@link ImageCheck}. What a dead server served is not read before others may have it: all of
 * it waits for the same lease and the same log. Owned by the master's thread.
 */
final class PassScope {
    /** Closing a dead server's log takes seconds; where it fails for so long the others' tablets must not wait with it. */
    static final long STUCK_MILLIS = 60_000;

    private final TabletImage image;
    private final ImageCheck check;
    private final Merges merges;
    private final Graves graves;
    private final Recoveries recoveries;
    private final Set<TabletId> waiting = new HashSet<>();
    private final Set<TabletId> stuck = new HashSet<>();

    PassScope(TabletImage image, ImageCheck check, Merges merges, Graves graves, Recoveries recoveries) {
        this.image = image;
        this.check = check;
        this.merges = merges;
        this.graves = graves;
        this.recoveries = recoveries;
    }

    TabletImage image() {
        return image;
    }

    /** The keys for this pass. Tablets may be waiting for it; of tables that are active is known what is to be done. */
    RowSet begin(Sight sight, boolean tabletsWait, LongPredicate isActive) {
        waiting.clear();
        stuck.clear();
        Set<Long> dead = image.dead(sight);
        if (image.isWhole() && (!tabletsWait || dead.isEmpty())) {
            // It looks at all of them, for which no tablet of a dead server should wait.
            List<KnownTablet> active = image.tablets().stream()
                    .filter(tablet -> isActive.test(tablet.id().tableId()))
                    .toList();
            merges.seek(active, sight, Merges.atATime(sight));
        }
        List<RowRange> keys = image.wanted();
        for (long epoch : dead) {
            List<KnownTablet> had = image.heldBy(epoch);
            boolean mayReturn = sight.mayReturn(epoch);
            // Who may return is not dead: from its death on the lease is counted, and its log is taken from it.
            boolean isOpen = !mayReturn && isOpen(epoch, had);
            for (KnownTablet tablet : had) {
                boolean mustWait = mayReturn || (isOpen && tablet.phase() == Phase.SERVING);
                if (mustWait && isActive.test(tablet.id().tableId())) {
                    leave(tablet, sight);
                } else {
                    keys.add(image.keysAround(tablet.id()));
                }
            }
        }
        merges.current().forEach(wish -> keys.add(image.keysOf(wish.tableId(), wish.rows())));
        check.begin(image, tabletsWait).ifPresent(keys::add);
        return new RowSet(keys).intersect(TabletImage.KEYS);
    }

    private boolean isOpen(long epoch, List<KnownTablet> had) {
        boolean hasServed = had.stream().anyMatch(tablet -> tablet.phase() == Phase.SERVING);
        return !graves.isClosed(epoch, hasServed);
    }

    private void leave(KnownTablet tablet, Sight sight) {
        waiting.add(tablet.id());
        if (graves.isStuck(tablet.epoch(), STUCK_MILLIS)) {
            stuck.add(tablet.id());
        }
        if (!sight.mayReturn(tablet.epoch())) {
            recoveries.saw(tablet.epoch(), image.server(tablet.epoch()), tablet.id());
        }
    }

    /** Those that wait for a dead server's lease or log. */
    Set<TabletId> waiting() {
        return waiting;
    }

    /** Of these the ones that wait for what does not come. */
    Set<TabletId> stuck() {
        return stuck;
    }

    /** What the pass has read, before it does anything. */
    void read(UserRows seen, Sight sight) {
        // The image forgets them.
        seen.damage().forEach(row -> row.tablet().ifPresent(id -> recoveries.damaged(id, image.find(id), sight)));
        image.read(seen);
    }

    /** The pass has done what it could, and has left these. */
    void passed(UserRows seen, Set<TabletId> unsettled, Sight sight) {
        image.passed(seen, unsettled, sight);
        check.passed();
    }
}
