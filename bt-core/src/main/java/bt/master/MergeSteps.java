package bt.master;

import bt.base.Bytes;
import bt.master.Merges.Wish;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.model.RowRange;
import bt.model.TabletId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which of the tablets that are to be one are merged next: so many at a time, from the first on, while all others are served; what has
 * been made of them is merged when the last have had their turn. So each is kept from being served for what a few tablets take, and
 * once more for each time that there are so many times as many. Owned by the master's thread.
 */
final class MergeSteps {
    /** Their merging takes METADATA about half a second, and they leave one server in three, each with a file to write. */
    static final int MOST_TABLETS = 50;

    /** A round in which METADATA has time for one mutation of each step alone leaves a half. */
    private static final double LEFT_OF_A_ROUND = 0.75;

    private final Map<Wish, Place> places = new HashMap<>();

    /** Of those that a pass has read, by their keys in METADATA. */
    private NavigableMap<Bytes, MetadataRow> rows = new TreeMap<>();

    /**
     * How far one has come.
     *
     * @param tablets how many there were when the first had their turn last; 0 at the begin
     * @param behind the tablets up to this row have had their turn; empty at the begin
     * @param rows of the tablets that are being merged; empty where these are still to be chosen
     */
    private record Place(int tablets, Optional<Bytes> behind, Optional<RowRange> rows) {
        private static final Place BEGIN = new Place(0, Optional.empty(), Optional.empty());

        Place at(RowRange step) {
            return new Place(tablets, behind, Optional.of(step));
        }

        Place anew(int all) {
            return new Place(all, Optional.empty(), Optional.empty());
        }
    }

    private Place place(Wish wish) {
        return places.getOrDefault(wish, Place.BEGIN);
    }

    /** What is being merged of it; all of it, where that is still to be chosen. */
    Wish current(Wish wish) {
        return new Wish(wish.tableId(), place(wish).rows().orElse(wish.rows()));
    }

    /** A pass has read these, among them all of {@link #current} of each. */
    void read(List<MetadataRow> read) {
        rows = new TreeMap<>();
        read.forEach(row -> rows.put(MetadataKeys.of(row.id()), row));
    }

    /**
     * The tablets of a step, which is chosen if none is under way, and there are two tablets, and where some of it have split since; none
     * is chosen where they {@linkplain #cannotBeOne cannot be one}.
     */
    List<MetadataRow> tablets(Wish wish) {
        Place place = place(wish);
        if (place.rows().isPresent()) {
            List<MetadataRow> step = concerned(current(wish));
            return step.size() <= MOST_TABLETS ? step : choose(wish, place, step);
        }
        List<MetadataRow> all = concerned(wish);
        List<MetadataRow> left = behind(place, all);
        if (left.size() >= 2) {
            return choose(wish, place.tablets() == 0 ? place.anew(all.size()) : place, left);
        }
        // All have had their turn.
        return all.size() < 2 || cannotBeOne(place, all.size()) ? all : choose(wish, place.anew(all.size()), all);
    }

    /** Whether since the first had their turn last what was made of them has split about as often: it is too large for one tablet. */
    private static boolean cannotBeOne(Place place, int tablets) {
        return tablets > MOST_TABLETS && tablets > place.tablets() * LEFT_OF_A_ROUND;
    }

    private static List<MetadataRow> behind(Place place, List<MetadataRow> all) {
        if (place.behind().isEmpty()) {
            return all;
        }
        Bytes behind = place.behind().get();
        return all.stream()
                .filter(row -> row.id()
                        .endRow()
                        .filter(end -> end.compareTo(behind) <= 0)
                        .isEmpty())
                .toList();
    }

    private List<MetadataRow> choose(Wish wish, Place place, List<MetadataRow> left) {
        List<MetadataRow> step = left.subList(0, Math.min(left.size(), MOST_TABLETS));
        RowRange whole = new RowRange(
                step.get(0).range().start(), step.get(step.size() - 1).range().end());
        places.put(wish, place.at(whole.intersect(wish.rows())));
        return step;
    }

    private List<MetadataRow> concerned(Wish wish) {
        Bytes first = MetadataKeys.lookUp(wish.tableId(), wish.rows().start());
        return rows.tailMap(first, true).values().stream()
                .takeWhile(wish::concerns)
                .toList();
    }

    /** Whether a step of it is under way. */
    boolean isChosen(Wish wish) {
        return place(wish).rows().isPresent();
    }

    /** Whether the step that is under way has all that is left of it. */
    boolean isLast(Wish wish) {
        return place(wish).rows().filter(wish.rows()::equals).isPresent();
    }

    /** The tablets up to this one have had their turn. */
    void passed(Wish wish, TabletId last) {
        places.put(wish, new Place(place(wish).tablets(), last.endRow(), Optional.empty()));
    }

    /** It is over, or begins anew. */
    void forget(Wish wish) {
        places.remove(wish);
    }
}
