package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.ThreadScheduler;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.zookeeper.ZooKeeperLockService;
import bt.record.ServerFile;
import bt.testing.MiniZooKeeper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a look at a cluster's servers costs ZooKeeper. */
class MembershipIT {
    private static final int SERVERS = 100;
    private static final int LOOKS = 10;

    /** Two lists, with a sync before each; and some for sessions that are idle. */
    private static final long MOST_REQUESTS = 6 * LOOKS;

    @TempDir
    private Path directory;

    @Test
    void aLookCostsAsManyRequestsForAHundredServersAsForOne() throws Exception {
        try (MiniZooKeeper zooKeeper = new MiniZooKeeper(directory);
                LockService locks = ZooKeeperLockService.connect(zooKeeper.quorum(), "cluster", 10_000);
                ThreadScheduler scheduler = new ThreadScheduler()) {
            List<Lock> held = new ArrayList<>();
            for (int i = 0; i < SERVERS; i++) {
                String id = "host" + i + "_1_nonce";
                locks.create(Paths.server(id), AvroBytes.encode(new ServerFile("host" + i + ":1", "", "", "", 0L)));
                held.add(locks.tryLock(Paths.serverLock(id), Bytes.EMPTY).orElseThrow());
            }
            Membership membership = new Membership(locks, scheduler, 60_000, 0, met -> {});
            assertThat(membership.call().living()).hasSize(SERVERS);
            long before = zooKeeper.requests();
            for (int i = 0; i < LOOKS; i++) {
                assertThat(membership.call().living()).hasSize(SERVERS);
            }
            assertThat(zooKeeper.requests() - before)
                    .as("requests of %d looks", LOOKS)
                    .isLessThanOrEqualTo(MOST_REQUESTS);

            held.get(7).close();
            Membership.Roll roll = membership.call();
            assertThat(roll.living()).hasSize(SERVERS - 1);
            assertThat(roll.unlocked()).isEmpty();
            assertThat(locks.children(Paths.SERVERS)).hasSize(SERVERS - 1);
        }
    }
}
