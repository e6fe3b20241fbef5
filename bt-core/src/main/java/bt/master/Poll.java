package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.TabletReport;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    Poll(Network network, Scheduler scheduler, long timeoutMillis) {
        this.network = network;
        this.scheduler = scheduler;
        this.timeoutMillis = timeoutMillis;
    }

    /** What each server that answered says of itself. */
    Map<Member, Holdings> ask(List<Member> members, long masterEpoch) throws InterruptedException {
        return ask(
                members,
                member -> new ServerStatusRequest(masterEpoch, null, -1L, -1L, List.of(), List.of(), List.of()));
    }

    /** The same, while each is told something. */
    Map<Member, Holdings> ask(List<Member> members, Function<Member, ServerStatusRequest> question)
            throws InterruptedException {
        silentBefore.retainAll(members);
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
                        && status.getEpoch() == member.epoch()) {
                    answered.put(member, Holdings.of(status));
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

    /** The tablets that a server reports, loading ones and those that it could not load included. */
    record Holdings(ServerStatus status, Map<TabletId, TabletReport> tablets) {
        static Holdings of(ServerStatus status) {
            Map<TabletId, TabletReport> tablets = new HashMap<>();
            for (TabletReport report : status.getTablets()) {
                tablets.put(new TabletId(report.getTableId(), AvroBytes.optionalBytes(report.getEndRow())), report);
            }
            return new Holdings(status, tablets);
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
