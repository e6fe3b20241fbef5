package bt.tablet;

import bt.model.RowMutation;
import java.util.List;

/**
 * What is going to be kept of a tablet's files beyond what is: what its memtables have that none of its files has. It is counted as what they become
 * where memory is short, which is no more files than their changes were counted for when they came: locality groups that one schema had together and a later one has
 * apart are one still, for a memtable with changes from before, and for one beside files from before. The tablet's owner foresees, any thread asks.
 */
final class FilesToCome {
    private final HeldInFiles heldInFiles = new HeldInFiles();

    Foreseen all(TabletView view) {
        Foreseen all = Foreseen.NOTHING;
        for (int i = 0; i < view.frozen().size(); i++) {
            all = all.and(of(view.frozen().get(i), view.frozen().subList(0, i), view));
        }
        return all.and(of(view.active(), view.frozen(), view));
    }

    private Foreseen of(Memtable memtable, List<Memtable> older, TabletView view) {
        if (memtable.held().isNothing()) {
            // Of most tablets this is asked again and again, and then nothing of their files.
            return Foreseen.NOTHING;
        }
        JoinedGroups joined = heldInFiles.beside(memtable, view).joined();
        return beyond(memtable.held().in(view.schema(), joined), memtable, older, view);
    }

    /** What the mutation has that is new to the tablet. Only the owner thread. */
    Foreseen newOf(RowMutation mutation, TabletView view) {
        return beyond(missing(mutation, view), view.active(), view.frozen(), view);
    }

    /** The mutation is on its way to the memtable: what it has that is new to the tablet. Only the owner thread. */
    Foreseen foresee(RowMutation mutation, TabletView view) {
        Memtable active = view.active();
        active.begin(view.schema());
        Held missing = missing(mutation, view);
        Foreseen more = beyond(missing, active, view.frozen(), view);
        active.held()
                .foresee(
                        missing, view.schema(), heldInFiles.beside(active, view).joined());
        return more;
    }

    private Held missing(RowMutation mutation, TabletView view) {
        return view.active()
                .held()
                .missing(
                        mutation,
                        view.schema(),
                        heldInFiles.beside(view.active(), view).joined());
    }

    private Foreseen beyond(Held held, Memtable memtable, List<Memtable> older, TabletView view) {
        if (held.isNothing()) {
            return Foreseen.NOTHING;
        }
        HeldInFiles.Known files = heldInFiles.beside(memtable, view);
        Held rest = held.without(files.held());
        for (Memtable before : older) {
            Held there = before.held().in(view.schema(), files.joined());
            boolean isAsFine =
                    files.joined().contains(heldInFiles.beside(before, view).joined());
            rest = rest.without(isAsFine ? there : there.familiesAlone());
        }
        return Foreseen.of(rest, view.schema());
    }
}
