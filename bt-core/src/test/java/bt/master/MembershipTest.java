package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Paths;
import bt.protocol.Address;
import bt.record.ServerFile;
import bt.testing.MemoryLocks;
import bt.testing.SimScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private static final String WHOLE = "host1_7_n";
    private static final String DAMAGED = "host2_8_n-2";

    private final MemoryLocks locks = new MemoryLocks();
    private final List<Member> met = new ArrayList<>();
    private final Membership membership = new Membership(locks, new SimScheduler(1), 6_000, 0, met::add);

    /** Its server may serve: nobody else may get its tablets, and no look may fail for it. */
    @Test
    void aServerWhoseFileIsDamagedIsKnownByTheFilesName() throws BigtableException {
        register(WHOLE, AvroBytes.encode(new ServerFile("host1:7", "n", "", "container", 0L)));
        register(DAMAGED, Bytes.utf8("no file of a server"));
        register("stray", Bytes.EMPTY);
        assertThat(membership.call().living())
                .containsExactlyInAnyOrder(
                        new Member(WHOLE, new Address("host1", 7), epoch(WHOLE), "container"),
                        new Member(DAMAGED, new Address("host2", 8), epoch(DAMAGED), ""));
        assertThat(membership.problems())
                .hasSize(2)
                .anyMatch(problem -> problem.startsWith("server file " + DAMAGED)
                        && problem.endsWith("; the server is known by the name of its file"))
                .anyMatch(problem -> problem.startsWith("server file stray") && problem.endsWith("; it is left alone"));

        locks.delete(Paths.server("stray"));
        locks.delete(Paths.server(DAMAGED));
        assertThat(membership.call().living()).extracting(Member::id).containsExactly(WHOLE);
        assertThat(membership.problems()).isEmpty();
    }

    /** It has had its lock, or has not come to take it for so long: its master may have died with it. */
    @Test
    void aServerWithoutItsLockThatIsOlderThanTheReignIsDead() throws BigtableException {
        locks.create(Paths.server(WHOLE), AvroBytes.encode(new ServerFile("host1:7", "n", "", "container", 0L)));
        long createdMicros = locks.read(Paths.server(WHOLE)).orElseThrow().modifiedMicros();
        for (long early : List.of(0L, createdMicros, createdMicros + 5_999_999)) {
            Membership.Roll roll = new Membership(locks, new SimScheduler(1), 6_000, early, some -> {}).call();
            assertThat(roll.unlocked()).as("it may be starting").hasSize(1);
        }
        Membership.Roll roll =
                new Membership(locks, new SimScheduler(1), 6_000, createdMicros + 6_000_000, some -> {}).call();
        assertThat(roll.unlocked()).isEmpty();
        assertThat(locks.children(Paths.SERVERS)).isEmpty();
    }

    /** As one of an earlier version, which lives on while the cluster is upgraded, does not. */
    @Test
    void aServersFileTellsItsLeaseOrDoesNot() throws BigtableException {
        Bytes told = AvroBytes.encode(new ServerFile("host1:7", "n", "", "container", 0L));
        register(WHOLE, AvroBytes.encode(new ServerFile("host1:7", "n", "", "container", 9_000L)));
        register(DAMAGED, told.slice(0, told.length() - 1));
        assertThat(membership.call().living())
                .containsExactlyInAnyOrder(
                        new Member(WHOLE, new Address("host1", 7), epoch(WHOLE), "container", 9_000),
                        new Member(DAMAGED, new Address("host1", 7), epoch(DAMAGED), "container", 0));
        assertThat(membership.problems()).isEmpty();
        assertThat(met).extracting(Member::leaseMillis).containsExactlyInAnyOrder(9_000L, 0L);
    }

    private void register(String id, Bytes content) throws BigtableException {
        locks.create(Paths.server(id), content);
        locks.create(Paths.serverLock(id), Bytes.EMPTY);
    }

    private long epoch(String id) {
        return locks.read(Paths.server(id)).orElseThrow().createdTransaction();
    }
}
