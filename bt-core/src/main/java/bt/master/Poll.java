package bt.master;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.TabletListing;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.TabletReport;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every living server what it holds: all at once, so that a silent one costs one time-out, not one each. Owned by the
 * master's thread.
 */
final class Poll {
    private static final Logger log = LoggerFactory.getLogger(Poll.class);

    /** For one that was silent in the last look: with more, all that the master does would wait for it. */
    private static final long IMPATIENT_MILLIS = 1_000;

    private final Network network;
    private final Scheduler scheduler;
    private final long timeoutMillis;
    private final Set<Member> silentBefore = new HashSet<>();

    /** What each has answered last. */
    private final Map<Member, Holdings> before = new HashMap<>();

    Poll(Network network, Scheduler scheduler, long timeoutMillis) {
        this.network = network;
        this.scheduler = scheduler;
        this.timeoutMillis = timeoutMillis;
    }

    /** What each server that answered says of itself. */
    Map<Member, Holdings> ask(List<Member> members, long masterEpoch) throws InterruptedException {
        return ask(
                members,
                member ->
                        new ServerStatusRequest(masterEpoch, null, -1L, -1L, List.of(), List.of(), List.of(), -2L, 0L));
    }

    /** The same, while each is told something. */
    Map<Member, Holdings> ask(List<Member> members, Function<Member, ServerStatusRequest> question)
            throws InterruptedException {
        silentBefore.retainAll(members);
        before.keySet().retainAll(members);
        Map<Member, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
        for (Member member : members) {
            Request request = new Request.Control(question.apply(member));
            asked.put(member, network.send(member.address(), request, timeoutMillis));
        }
        Map<Member, Holdings> answered = new LinkedHashMap<>();
        for (Map.Entry<Member, CompletableFuture<Answer>> entry : asked.entrySet()) {
            Member member = entry.getKey();
            try {
                Answer answer = scheduler.await(
                        entry.getValue(),
                        silentBefore.contains(member) ? Math.min(IMPATIENT_MILLIS, timeoutMillis) : timeoutMillis);
                // An address may have a new tenant: only the epoch that the server file has counts.
                if (answer instanceof Answer.Control control
                        && control.message() instanceof ServerStatus status
                        && status.getEpoch() == member.epoch()
                        && isForUs(status, member)) {
                    Holdings last = before.get(member);
                    Holdings holdings = last == null ? Holdings.of(status) : last.followedBy(status);
                    before.put(member, holdings);
                    answered.put(member, holdings);
                    silentBefore.remove(member);
                }
            } catch (BigtableException silent) {
                if (silentBefore.add(member)) {
                    log.warn("{} does not answer: {}", member.id(), silent.getMessage());
                }
            }
        }
        return answered;
    }

    /** Whether its tablets are told on top of what we have heard; if not, they are told anew with the next look. */
    private boolean isForUs(ServerStatus status, Member member) {
        boolean isForUs = status.getListedBefore() < 0 || status.getListedBefore() == heardList(member);
        if (!isForUs) {
            before.remove(member);
        }
        return isForUs;
    }

    /** What each of those that were asked last has answered when it answered last. */
    Map<Member, Holdings> heard() {
        return Collections.unmodifiableMap(before);
    }

    /** The number of the last list of tablets that the server has told; -1 where that must be told anew. */
    long heardList(Member member) {
        Holdings last = before.get(member);
        return last == null ? -1 : last.status().getList();
    }

    /**
     * The tablets that a server reports, loading ones and those that it could not load included.
     *
     * @param status of which the tablets are not to be taken: they may be those alone that have changed
     * @param changed those of which it says something else than in its answer before, or nothing any more
     * @param isAnew whether that was its first
     */
    record Holdings(ServerStatus status, Map<TabletId, TabletReport> tablets, Set<TabletId> changed, boolean isAnew) {
        /** Its first answer. */
        static Holdings of(ServerStatus status) {
            Map<TabletId, TabletReport> tablets = tablets(status);
            return new Holdings(status, tablets, tablets.keySet(), true);
        }

        private static Map<TabletId, TabletReport> tablets(ServerStatus status) {
            Map<TabletId, TabletReport> tablets = new HashMap<>();
            status.getTablets().forEach(report -> tablets.put(TabletListing.name(report), report));
            return tablets;
        }

        /** Its next. */
        Holdings followedBy(ServerStatus next) {
            Map<TabletId, TabletReport> told = tablets(next);
            Set<TabletId> others = new HashSet<>(told.keySet());
            if (next.getListedBefore() < 0) {
                others.addAll(tablets.keySet());
                others.removeIf(id -> Objects.equals(told.get(id), tablets.get(id)));
                return new Holdings(next, told, others, false);
            }
            next.getGone().forEach(gone -> others.add(TabletListing.name(gone)));
            if (others.isEmpty()) {
                return new Holdings(next, tablets, others, false);
            }
            Map<TabletId, TabletReport> now = new HashMap<>(tablets);
            now.keySet().removeAll(others);
            now.putAll(told);
            return new Holdings(next, now, others, false);
        }

        /** Those that it has given up, of which METADATA may not say yet that they have left. */
        Set<TabletId> leaving() {
            return status.getLeaving().stream().map(TabletListing::name).collect(Collectors.toSet());
        }

        /** How many tablets METADATA may name it for, as far as it knows. */
        int count() {
            return tablets.size() + status.getLeaving().size();
        }

        /** Those that it serves, or soon may. What it could not load is here only in name: another may have it by now. */
        Set<TabletId> held() {
            return tablets.entrySet().stream()
                    .filter(entry -> entry.getValue().getFailure() == null)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
        }
    }
}
