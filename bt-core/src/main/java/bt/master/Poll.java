package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.Scheduler;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.TabletListing;
import bt.protocol.TabletParts;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
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

    /** Of one list in one look: more than is in any server's memory. */
    private static final int MOST_PARTS = 1_000;

    private final Network network;
    private final Scheduler scheduler;
    private final long timeoutMillis;

    /** What each of those that did not answer in the last look failed with. */
    private final Map<Member, Kind> silentBefore = new HashMap<>();

    /** What each has answered last. */
    private final Map<Member, Holdings> before = new HashMap<>();

    /** The lists that have begun to come and go on: what is missing there is no word of a server on any tablet. */
    private final Map<Member, TabletParts> parts = new HashMap<>();

    Poll(Network network, Scheduler scheduler, long timeoutMillis) {
        this.network = network;
        this.scheduler = scheduler;
        this.timeoutMillis = timeoutMillis;
    }

    /** What each server that answered says of itself, as far as it has told all its tablets. */
    Map<Member, Holdings> ask(List<Member> members, long masterEpoch) throws InterruptedException {
        return ask(members, member -> TabletListing.question(masterEpoch, heardList(member)));
    }

    /** The same without tablets: what was heard of these stays as it is. */
    Map<Member, ServerStatus> askWithoutTablets(List<Member> members, long masterEpoch) throws InterruptedException {
        silentBefore.keySet().retainAll(members);
        Map<Member, ServerStatus> answered = new LinkedHashMap<>();
        hear(members, member -> TabletListing.question(masterEpoch, TabletListing.NO_TABLETS), answered::put);
        return answered;
    }

    /**
     * The same, while each is told something. Whose list goes on is asked again at once: nothing may be decided by a part of it,
     * and who has told no more than that when this ends has not answered.
     */
    Map<Member, Holdings> ask(List<Member> members, Function<Member, ServerStatusRequest> question)
            throws InterruptedException {
        silentBefore.keySet().retainAll(members);
        before.keySet().retainAll(members);
        parts.keySet().retainAll(members);
        Map<Member, Holdings> answered = new HashMap<>();
        List<Member> next = members;
        for (int part = 0; part < MOST_PARTS && !next.isEmpty(); part++) {
            next = askOnce(next, question, answered);
        }
        // In the order of the question, whoever needed how many parts.
        Map<Member, Holdings> inOrder = new LinkedHashMap<>();
        members.stream().filter(answered::containsKey).forEach(who -> inOrder.put(who, answered.get(who)));
        return inOrder;
    }

    /** Those whose lists go on. */
    private List<Member> askOnce(
            List<Member> members, Function<Member, ServerStatusRequest> question, Map<Member, Holdings> answered)
            throws InterruptedException {
        List<Member> goOn = new ArrayList<>();
        hear(members, question, (member, status) -> {
            if (!isForUs(status, member)) {
                return;
            }
            if (status.getListGoesOn()) {
                part(member, status).add(status);
                goOn.add(member);
            } else {
                Holdings holdings = holdings(member, status);
                before.put(member, holdings);
                answered.put(member, holdings);
            }
        });
        return goOn;
    }

    /** All are asked at once, and heard in their order. */
    private void hear(
            List<Member> members,
            Function<Member, ServerStatusRequest> question,
            BiConsumer<Member, ServerStatus> hearer)
            throws InterruptedException {
        Map<Member, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
        for (Member member : members) {
            Request request = new Request.Control(question.apply(member));
            asked.put(member, network.send(member.address(), request, timeoutMillis));
        }
        for (Map.Entry<Member, CompletableFuture<Answer>> entry : asked.entrySet()) {
            Member member = entry.getKey();
            try {
                Answer answer = scheduler.await(
                        entry.getValue(),
                        silentBefore.containsKey(member) ? Math.min(IMPATIENT_MILLIS, timeoutMillis) : timeoutMillis);
                // An address may have a new tenant: only the epoch that the server file has counts.
                if (answer instanceof Answer.Control control
                        && control.message() instanceof ServerStatus status
                        && status.getEpoch() == member.epoch()) {
                    silentBefore.remove(member);
                    hearer.accept(member, status);
                }
            } catch (BigtableException failed) {
                if (silentBefore.put(member, failed.kind()) != failed.kind()) {
                    log.warn("{} {}: {}", member.id(), inWords(failed.kind()), failed.getMessage());
                }
            }
        }
    }

    /** Whoever looks after a server that is too busy, or of another version, looks for other things than where one is silent. */
    private static String inWords(Kind failure) {
        return switch (failure) {
            case OVERLOADED -> "is overloaded, and tells nothing of itself";
            case UNAVAILABLE -> "does not answer";
            case CORRUPTION, REJECTED, FENCED -> "refuses to tell of itself";
        };
    }

    /** What the server has told of a list so far: of one that it begins with this answer, nothing, or what was heard of it before. */
    private TabletParts part(Member member, ServerStatus status) {
        if (status.getListedBefore() < 0) {
            parts.put(member, new TabletParts(Map.of()));
        }
        return parts.computeIfAbsent(
                member,
                first -> new TabletParts(
                        Objects.requireNonNull(before.get(first)).tablets()));
    }

    private Holdings holdings(Member member, ServerStatus status) {
        Holdings last = before.get(member);
        if (status.getListedBefore() >= 0 && parts.containsKey(member)) {
            TabletParts whole = part(member, status);
            whole.add(status);
            parts.remove(member);
            return last == null ? Holdings.of(status, whole.tablets()) : last.followedBy(status, whole.tablets());
        }
        parts.remove(member);
        return last == null ? Holdings.of(status, Holdings.tablets(status)) : last.followedBy(status);
    }

    /** Whether its tablets are told on top of what we have heard; if not, they are told anew with the next look. */
    private boolean isForUs(ServerStatus status, Member member) {
        boolean isForUs = status.getListedBefore() < 0 || status.getListedBefore() == heardList(member);
        if (!isForUs) {
            before.remove(member);
            parts.remove(member);
        }
        return isForUs;
    }

    /** What each of those that were asked last has answered when it answered last. */
    Map<Member, Holdings> heard() {
        return Collections.unmodifiableMap(before);
    }

    /** The number of the last list of tablets that the server has told; -1 where that must be told anew. */
    long heardList(Member member) {
        TabletParts part = parts.get(member);
        if (part != null) {
            return part.list();
        }
        Holdings last = before.get(member);
        return last == null ? TabletListing.NOTHING_HEARD : last.status().getList();
    }

    /**
     * The tablets that a server reports, loading ones and those that it could not load included.
     *
     * @param status of which the tablets are not to be taken: they may be those alone that have changed
     * @param changed those of which it says something else than in its answer before, or nothing any more
     * @param isAnew whether that was its first
     */
    record Holdings(ServerStatus status, Map<TabletId, TabletReport> tablets, Set<TabletId> changed, boolean isAnew) {
        /** Its first answer, with all of its tablets. */
        static Holdings of(ServerStatus status, Map<TabletId, TabletReport> tablets) {
            return new Holdings(status, tablets, tablets.keySet(), true);
        }

        /** Its first answer, where that is one alone. */
        static Holdings of(ServerStatus status) {
            return of(status, tablets(status));
        }

        private static Map<TabletId, TabletReport> tablets(ServerStatus status) {
            Map<TabletId, TabletReport> tablets = new HashMap<>();
            status.getTablets().forEach(report -> tablets.put(TabletListing.name(report), report));
            return tablets;
        }

        /** Its next. */
        Holdings followedBy(ServerStatus next) {
            Map<TabletId, TabletReport> told = tablets(next);
            if (next.getListedBefore() < 0) {
                return followedBy(next, told);
            }
            Set<TabletId> others = new HashSet<>(told.keySet());
            next.getGone().forEach(gone -> others.add(TabletListing.name(gone)));
            if (others.isEmpty()) {
                return new Holdings(next, tablets, others, false);
            }
            Map<TabletId, TabletReport> now = new HashMap<>(tablets);
            now.keySet().removeAll(others);
            now.putAll(told);
            return new Holdings(next, now, others, false);
        }

        /** Its next, with all of its tablets. */
        Holdings followedBy(ServerStatus next, Map<TabletId, TabletReport> now) {
            Set<TabletId> others = new HashSet<>(now.keySet());
            others.addAll(tablets.keySet());
            others.removeIf(id -> Objects.equals(now.get(id), tablets.get(id)));
            return new Holdings(next, now, others, false);
        }

        /** Some of those that it has given up, of which METADATA may not say yet that they have left. */
        Set<TabletId> leaving() {
            return status.getLeaving().stream().map(TabletListing::name).collect(Collectors.toSet());
        }

        /** Whether there are others, for which its answer had no room. They stand behind those, in the order of tablets. */
        boolean leaveUnnamed() {
            return leavingInAll() > status.getLeaving().size();
        }

        int leavingInAll() {
            return Math.max(status.getLeavingInAll(), status.getLeaving().size());
        }

        /** How many tablets METADATA may name it for, as far as it knows. */
        int count() {
            return tablets.size() + leavingInAll();
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
