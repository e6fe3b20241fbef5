package bt.simulation;

import bt.testing.CrashPoint;
import bt.testing.SimCluster;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Plans who dies at a {@link CrashPoint}: as a trouble like others, or as the doom of a life. */
final class StepCrashes {
    private static final int STEPS = 40;
    private static final int FEW_STEPS = 2;
    private static final List<CrashPoint> POINTS = List.of(CrashPoint.values());

    /** Steps that customers make many. */
    private static final Set<CrashPoint> OF_TRAFFIC = EnumSet.of(
            CrashPoint.BEFORE_APPEND, CrashPoint.AFTER_APPEND, CrashPoint.BEFORE_SYNC, CrashPoint.AFTER_SYNC);

    /** Steps that are taken when a server has died, or another begins. */
    private static final Set<CrashPoint> OF_COMING_AND_GOING = EnumSet.of(
            CrashPoint.BEFORE_FLUSH,
            CrashPoint.AFTER_FLUSH,
            CrashPoint.BEFORE_RENAME,
            CrashPoint.AFTER_RENAME,
            CrashPoint.BEFORE_FENCE,
            CrashPoint.AFTER_FENCE,
            CrashPoint.BEFORE_NODE_IS_CREATED,
            CrashPoint.AFTER_NODE_IS_CREATED,
            CrashPoint.BEFORE_NODE_IS_DELETED,
            CrashPoint.AFTER_NODE_IS_DELETED,
            CrashPoint.BEFORE_LOCK,
            CrashPoint.AFTER_LOCK);

    /** Steps of a server that ends as it was asked to. */
    private static final Set<CrashPoint> OF_STOPPING =
            EnumSet.of(CrashPoint.BEFORE_LOCK_IS_RELEASED, CrashPoint.AFTER_LOCK_IS_RELEASED);

    private final SimCluster cluster;
    /** Of its own, so that the troubles of a life are the same whatever its doom. */
    private final RandomGenerator doomChance;

    StepCrashes(SimCluster cluster) {
        this.cluster = cluster;
        this.doomChance = cluster.scheduler().random("doom");
    }

    /** Whether nobody comes to it once the customers have finished. */
    static boolean isOfTraffic(CrashPoint point) {
        return OF_TRAFFIC.contains(point);
    }

    /** Of steps that are many one of the next forty, of the others one of the next two. */
    void trouble(RandomGenerator random) {
        CrashPoint point = POINTS.get(random.nextInt(POINTS.size()));
        if (OF_COMING_AND_GOING.contains(point)) {
            cluster.crashAt(point, 1);
            killServer(random);
        } else if (OF_STOPPING.contains(point)) {
            cluster.crashAt(point, 1);
            any(random).ifPresent(cluster::stop);
        } else {
            boolean isFrequent = isOfTraffic(point) || isOfMetadata(point);
            cluster.crashAt(point, 1 + random.nextInt(isFrequent ? STEPS : FEW_STEPS));
        }
    }

    /** What customers do not bring about is brought about by the death of a server. */
    void doom(CrashPoint point) {
        if (isOfTraffic(point)) {
            cluster.crashAt(point, 1 + doomChance.nextInt(STEPS));
        } else if (OF_STOPPING.contains(point)) {
            cluster.crashAt(point, 1);
            any(doomChance).ifPresent(cluster::stop);
        } else {
            cluster.crashAt(point, OF_COMING_AND_GOING.contains(point) ? 1 : 1 + doomChance.nextInt(FEW_STEPS));
            killServer(doomChance);
        }
    }

    private static boolean isOfMetadata(CrashPoint point) {
        return point.memory() == CrashPoint.Memory.METADATA;
    }

    private void killServer(RandomGenerator random) {
        any(random).ifPresent(cluster::kill);
    }

    private Optional<String> any(RandomGenerator random) {
        List<String> living = cluster.servers();
        return living.isEmpty() ? Optional.empty() : Optional.of(living.get(random.nextInt(living.size())));
    }
}
