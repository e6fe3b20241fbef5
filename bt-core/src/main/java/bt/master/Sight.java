package bt.master;

import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one look at the cluster saw: who lives, who has no lock, what those who answered hold, who is to be left; what those who live have
 * answered last, be it now or before; by epoch who lives; by table what those who answered say.
 */
record Sight(
        List<Member> living,
        List<Member> unlocked,
        Map<Member, Poll.Holdings> answered,
        Set<String> draining,
        Map<Member, Poll.Holdings> heard,
        Map<Long, Member> byEpoch,
        ReportsByTable tables) {
    /** What to do where there is {@link #noRoom}. */
    static final String TO_MAKE_ROOM =
            "start another server, drop tables, or give servers a larger heap or a larger tabletserver.tablets.bytes";

    /** Where nobody was asked before. */
    Sight(List<Member> living, List<Member> unlocked, Map<Member, Poll.Holdings> answered, Set<String> draining) {
        this(living, unlocked, answered, draining, answered);
    }

    Sight(
            List<Member> living,
            List<Member> unlocked,
            Map<Member, Poll.Holdings> answered,
            Set<String> draining,
            Map<Member, Poll.Holdings> heard) {
        this(
                living,
                unlocked,
                answered,
                draining,
                heard,
                living.stream().collect(Collectors.toMap(Member::epoch, who -> who, (one, other) -> one)),
                new ReportsByTable(answered.values()));
    }

    Sight {
        living = List.copyOf(living);
        unlocked = List.copyOf(unlocked);
        // Not Map.copyOf: its order changes from JVM to JVM, and with it would a run that a seed should repeat.
        draining = Set.copyOf(draining);
        answered = Collections.unmodifiableMap(new LinkedHashMap<>(answered));
        heard = Collections.unmodifiableMap(new LinkedHashMap<>(heard));
    }

    /** Servers that tablets may be moved to, in no order that matters. */
    List<Member> takers() {
        return answered.keySet().stream()
                .filter(member -> !draining.contains(member.id()))
                .toList();
    }

    /** Of those the ones whose memory has room for one more. */
    List<Member> takersWithRoom() {
        return takers().stream().filter(member -> !isFull(member)).toList();
    }

    /** Those that have room for what another has served: if all are full, they take half as much again. */
    List<Member> takersOfServed() {
        List<Member> withRoom = takersWithRoom();
        return withRoom.isEmpty()
                ? takers().stream().filter(member -> !isOverfull(member)).toList()
                : withRoom;
    }

    /** Whether the server has said that it has hardly room for one more tablet of a user. METADATA's it always loads. */
    boolean isFull(Member member) {
        Poll.Holdings said = answered.get(member);
        return said != null && said.status().getFull();
    }

    /** Whether it has said so of what another has served, too. */
    boolean isOverfull(Member member) {
        Poll.Holdings said = answered.get(member);
        return said != null && said.status().getOverfull();
    }

    /**
     * Servers that may be given tablets that nobody serves: if all that live drain, one of those is better than none. Who does
     * not answer now may soon, and is waited for.
     */
    List<Member> takersOfUnserved() {
        boolean allDrain = living.stream().allMatch(member -> draining.contains(member.id()));
        return allDrain ? List.copyOf(answered.keySet()) : takers();
    }

    /** Why no server takes one more tablet of a user: all that could have said that they have hardly room for it. */
    Optional<String> noRoom() {
        return allTakers(this::isFull) ? Optional.of("no server has memory for more tablets") : Optional.empty();
    }

    /** Whether the same is so of tablets that another server has served. */
    boolean hasNoRoomForServed() {
        return allTakers(this::isOverfull);
    }

    /** Who has not answered may have room: it is waited for. */
    private boolean allTakers(Predicate<Member> haveSaid) {
        List<Member> takers = takersOfUnserved();
        return !takers.isEmpty()
                && takers.stream().allMatch(haveSaid)
                && living.stream().allMatch(member -> answered.containsKey(member) || draining.contains(member.id()));
    }

    /** Why tablets of users do not leave a server that drains. */
    Optional<String> drainHindrance() {
        if (takers().isEmpty()) {
            return Optional.of("no other server takes tablets");
        }
        return takersOfServed().isEmpty()
                ? Optional.of("no other server has memory for more tablets")
                : Optional.empty();
    }

    /** The living server with this id. */
    Optional<Member> find(String id) {
        return living.stream().filter(member -> member.id().equals(id)).findFirst();
    }

    /** Whether the server has its file, lock or not. */
    boolean isRegistered(String id) {
        return find(id).isPresent()
                || unlocked.stream().anyMatch(member -> member.id().equals(id));
    }

    /** The living server that a location names, if it lives under that epoch. */
    Optional<Member> holder(TabletLocation location) {
        return holder(location.getEpoch()).filter(member -> member.id().equals(location.getServer()));
    }

    /** The living server of this epoch. */
    Optional<Member> holder(long epoch) {
        return Optional.ofNullable(byEpoch.get(epoch));
    }

    /** True while the server of that epoch could still take its lock and serve. */
    boolean mayReturn(long epoch) {
        return unlocked.stream().anyMatch(member -> member.epoch() == epoch);
    }

    /** What the server says of the tablet; empty if it did not answer or does not hold it. */
    Optional<TabletReport> report(Member member, TabletId tablet) {
        return Optional.ofNullable(answered.get(member))
                .map(holdings -> holdings.tablets().get(tablet));
    }

    /**
     * Tablets of which a server told with its answer before and tells no more, and that no other server says it serves: they have been
     * handed back, or are on their way.
     */
    SortedSet<TabletId> left() {
        List<TabletId> left = new ArrayList<>();
        for (Poll.Holdings holdings : answered.values()) {
            for (TabletId tablet : holdings.changed()) {
                if (!holdings.tablets().containsKey(tablet)) {
                    left.add(tablet);
                }
            }
        }
        return unserved(left);
    }

    /**
     * Of these tablets those of which no server that answered says that it serves them, in their order. Either they are
     * looked up among a server's, or that server's among them: it takes no more steps than there are tablets.
     */
    SortedSet<TabletId> unserved(Collection<TabletId> tablets) {
        TreeSet<TabletId> left = new TreeSet<>(tablets);
        for (Poll.Holdings holdings : answered.values()) {
            if (left.size() < holdings.tablets().size()) {
                left.removeIf(tablet -> isServing(holdings.tablets().get(tablet)));
            } else {
                holdings.tablets().forEach((tablet, report) -> {
                    if (isServing(report)) {
                        left.remove(tablet);
                    }
                });
            }
        }
        return left;
    }

    private static boolean isServing(@Nullable TabletReport report) {
        return report != null && report.getPhase() == Phase.SERVING;
    }
}
