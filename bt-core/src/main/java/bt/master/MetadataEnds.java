package bt.master;

import bt.base.Bytes;
import bt.base.Clock;
import bt.master.Merges.Wish;
import bt.metadata.MetadataKeys;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Sees to it that METADATA's tablets end with the rows of tablets that there are. When the last of which one tells is merged into the next
 * tablet, of which the next one tells, whoever looks up a row that it had asks the first in vain: a round trip more than the three of
 * section 5.1 of the paper. So before users' tablets are merged across such an end METADATA's are, whatever their size; and afterwards, where
 * that was not done. A large one splits again as any tablet does. The root tablet is none of these. Owned by the master's thread.
 */
final class MetadataEnds {
    /**
     * For so long none follows behind a merge of METADATA's tablets, and users' tablets do not wait for one: of thousands that are merged step
     * by step those of each step may tell where METADATA has just split again, and its rows would be away with each.
     */
    private static final long REST_NANOS = 10_000_000_000L;

    private final TabletImage image;
    private final Clock clock;
    private final Runnable wake;

    /** METADATA's tablets, in their order, as this pass has read them. */
    private List<KnownTablet> tablets = List.of();

    /** What a merge of users' tablets waits for, as the last pass left it. */
    private Optional<Need> awaited = Optional.empty();

    /** Whether a merge of users' tablets waited when the pass before this one ended. */
    private boolean wasAwaited;

    /** What is under way, or has just come to its end. */
    private Optional<Need> asked = Optional.empty();

    private Pause rest = Pause.NONE;

    /** The tablets of METADATA that seem to end where none should; what the last pass knew may have been over. */
    private Set<TabletId> doubtful = Set.of();

    /** Those of which it seems so still, when the rows there have been read once more. */
    private NavigableSet<TabletId> wrong = new TreeSet<>();

    /** The one of these whose turn it was last. */
    private Optional<TabletId> last = Optional.empty();

    /** {@code wake} has the master look at once. */
    MetadataEnds(TabletImage image, Clock clock, Runnable wake) {
        this.image = image;
        this.clock = clock;
        this.wake = wake;
    }

    /** Tablets of METADATA that are to be one, from this one on. */
    private record Need(TabletId first, Wish wish) {}

    /** A pass begins, and has read METADATA's tablets, all of them. What is needed is wished for, if nothing else is. */
    void seek(List<KnownTablet> metadata, Merges merges) {
        tablets = metadata;
        restIfEnded(merges);
        if (merges.wishes().isEmpty() && rest.isOver(clock.nanos())) {
            asked = awaited.or(this::nextWrong);
            asked.ifPresent(need -> merges.need(need.wish));
        }
        wasAwaited = awaited.isPresent();
        awaited = Optional.empty();
    }

    private void restIfEnded(Merges merges) {
        if (asked.isPresent() && !merges.isUnderWay(asked.get().wish)) {
            TabletId first = asked.get().first;
            boolean isDone = tablets.stream().noneMatch(tablet -> tablet.id().equals(first));
            rest = (isDone ? Pause.NONE : rest).longer(REST_NANOS, clock.nanos());
            asked = Optional.empty();
        }
    }

    /** One after the other, for one that cannot be merged must not keep the others waiting. */
    private Optional<Need> nextWrong() {
        NavigableSet<TabletId> left = new TreeSet<>(wrong);
        left.retainAll(tablets.stream().map(KnownTablet::id).toList());
        if (left.isEmpty()) {
            return Optional.empty();
        }
        TabletId next = last.map(left::higher).orElseGet(left::first);
        last = Optional.of(next);
        return need(tablets.stream().filter(tablet -> tablet.id().equals(next)).toList());
    }

    /** These of METADATA's tablets, which are neighbours, with the one behind them. */
    private Optional<Need> need(List<KnownTablet> lower) {
        int behind = tablets.indexOf(lower.get(lower.size() - 1)) + 1;
        return behind < tablets.size()
                ? Optional.of(new Need(
                        lower.get(0).id(),
                        new Wish(
                                TableSchema.METADATA_ID,
                                new RowRange(
                                        lower.get(0).range().start(),
                                        tablets.get(behind).range().end()))))
                : Optional.empty();
    }

    /** Whether these tablets of users, which come in their order and are to be one, are merged when METADATA's have been. */
    boolean mustWait(List<TabletId> members) {
        RowRange keys = RowRange.of(MetadataKeys.of(members.get(0)), MetadataKeys.of(members.get(members.size() - 1)));
        List<KnownTablet> ending = tablets.stream()
                .filter(tablet -> tablet.id().endRow().filter(keys::contains).isPresent())
                .toList();
        if (ending.isEmpty()) {
            return false;
        }
        if (asked.isPresent()) {
            RowRange merging = asked.get().wish.rows();
            // The end of the last of them stays.
            return ending.stream()
                    .anyMatch(tablet -> merging.contains(endOf(tablet).successor()));
        }
        if (!rest.isOver(clock.nanos())) {
            return false;
        }
        if (awaited.isEmpty()) {
            awaited = need(ending);
            if (!wasAwaited) {
                wake.run();
            }
        }
        return awaited.isPresent();
    }

    private static Bytes endOf(KnownTablet tablet) {
        return tablet.id().endRow().orElseThrow();
    }

    /** A pass has come to its end, and the image knows what it has read. */
    void look(Predicate<RowRange> hasRead) {
        Set<TabletId> now = new HashSet<>();
        NavigableSet<TabletId> still = new TreeSet<>();
        if (image.isWhole()) {
            for (KnownTablet tablet : tablets) {
                tablet.id().endRow().flatMap(image::across).ifPresent(across -> {
                    now.add(tablet.id());
                    image.doubt(across);
                    // Where METADATA could not be read the image is what it was.
                    if (doubtful.contains(tablet.id()) && hasRead.test(RowRange.row(endOf(tablet)))) {
                        still.add(tablet.id());
                    }
                });
            }
        }
        if (!doubtful.containsAll(now) || !wrong.containsAll(still)) {
            wake.run();
        }
        doubtful = now;
        wrong = still;
    }
}
