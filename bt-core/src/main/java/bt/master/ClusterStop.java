package bt.master;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.model.TableSchema;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.StopProcess;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends every tablet server, those with METADATA's tablets last: a server that hands its tablets back writes METADATA, and
 * would have to leave its memory to recovery if METADATA went first.
 */
final class ClusterStop {
    private static final Logger log = LoggerFactory.getLogger(ClusterStop.class);
    private static final long STOP_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 100;

    private final Network network;
    private final Scheduler scheduler;
    private final MasterConfig config;

    ClusterStop(Network network, Scheduler scheduler, MasterConfig config) {
        this.network = network;
        this.scheduler = scheduler;
        this.config = config;
    }

    void run(Sight sight, Membership membership) throws InterruptedException {
        List<Member> order = new ArrayList<>(sight.living());
        order.sort(Comparator.comparingInt(member -> metadataTablets(sight, member)));
        for (Member member : order) {
            try {
                scheduler.await(
                        network.send(
                                member.address(),
                                new Request.Control(new StopProcess("the cluster stops")),
                                config.requestMillis()),
                        config.requestMillis());
                awaitEnd(member, membership);
            } catch (BigtableException failed) {
                log.warn("{} was asked to stop: {}", member.id(), failed.getMessage());
            }
        }
    }

    private void awaitEnd(Member member, Membership membership) throws BigtableException, InterruptedException {
        long deadline = scheduler.clock().nanos() + STOP_MILLIS * 1_000_000;
        while (membership.call().living().contains(member)) {
            if (scheduler.clock().nanos() - deadline > 0) {
                log.warn("{} has not stopped within {} ms: its log stays for the next start", member.id(), STOP_MILLIS);
                return;
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    /** The root tablet weighs more than any number of others: the row of every METADATA tablet is in it. */
    private static int metadataTablets(Sight sight, Member member) {
        Poll.Holdings holdings = sight.answered().get(member);
        if (holdings == null) {
            return 0;
        }
        return holdings.tablets().keySet().stream()
                .filter(tablet -> tablet.tableId() == TableSchema.METADATA_ID)
                .mapToInt(tablet -> tablet.endRow().isPresent() ? 1_000 : 1)
                .sum();
    }
}
