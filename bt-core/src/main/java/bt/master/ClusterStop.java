package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.StopProcess;
import bt.record.UnloadTablet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a cluster in the order in which nothing is left to recovery: the tablets of users are handed back by all servers,
 * then METADATA's, then the root tablet, and only then do servers end. Who hands a tablet back writes METADATA, so each
 * level must be there until the one below is done, wherever its tablets lie.
 */
final class ClusterStop {
    private static final Logger log = LoggerFactory.getLogger(ClusterStop.class);
    private static final long STOP_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 100;

    private final Network network;
    private final Scheduler scheduler;
    private final MasterConfig config;
    private final long masterEpoch;

    ClusterStop(Network network, Scheduler scheduler, MasterConfig config, long masterEpoch) {
        this.network = network;
        this.scheduler = scheduler;
        this.config = config;
        this.masterEpoch = masterEpoch;
    }

    void run(Sight sight, Membership membership) throws InterruptedException {
        unload(sight, tablet -> tablet.tableId() != TableSchema.METADATA_ID);
        unload(sight, tablet -> tablet.tableId() == TableSchema.METADATA_ID && !tablet.equals(MetadataSchema.ROOT));
        unload(sight, tablet -> tablet.equals(MetadataSchema.ROOT));
        Map<String, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
        for (Member member : sight.living()) {
            Request stop = new Request.Control(new StopProcess("the cluster stops"));
            asked.put(member.id() + " was asked to stop", network.send(member.address(), stop, config.requestMillis()));
        }
        awaitAll(asked, config.requestMillis());
        awaitEnd(sight.living(), membership);
    }

    private void unload(Sight sight, Predicate<TabletId> which) throws InterruptedException {
        Map<String, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
        sight.answered().forEach((member, holdings) -> {
            for (TabletId tablet : holdings.tablets().keySet()) {
                if (which.test(tablet)) {
                    UnloadTablet unload =
                            new UnloadTablet(masterEpoch, tablet.tableId(), AvroBytes.buffer(tablet.endRow()), true);
                    asked.put(
                            member.id() + " was asked to hand back " + tablet,
                            network.send(member.address(), new Request.Control(unload), STOP_MILLIS));
                }
            }
        });
        awaitAll(asked, STOP_MILLIS);
    }

    /** What fails is left to recovery: a stop goes on. */
    private void awaitAll(Map<String, CompletableFuture<Answer>> asked, long timeoutMillis)
            throws InterruptedException {
        for (Map.Entry<String, CompletableFuture<Answer>> one : asked.entrySet()) {
            try {
                scheduler.await(one.getValue(), timeoutMillis);
            } catch (BigtableException failed) {
                log.warn("{}: {}", one.getKey(), failed.getMessage());
            }
        }
    }

    private void awaitEnd(List<Member> members, Membership membership) throws InterruptedException {
        long deadline = scheduler.clock().nanos() + STOP_MILLIS * 1_000_000;
        List<Member> left = new ArrayList<>(members);
        while (!left.isEmpty()) {
            if (scheduler.clock().nanos() - deadline > 0) {
                log.warn("{} have not stopped within {} ms: their logs stay for the next start", left, STOP_MILLIS);
                return;
            }
            scheduler.pause(LOOK_MILLIS);
            try {
                left.retainAll(membership.call().living());
            } catch (BigtableException unknown) {
                log.warn("who still lives: {}", unknown.getMessage());
            }
        }
    }
}
