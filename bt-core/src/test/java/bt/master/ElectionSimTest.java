package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.protocol.Address;
import bt.testing.SeededTest;
import bt.testing.SimFaults;
import bt.testing.SimLockService;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

class ElectionSimTest {
    /** Who has the lock, and cannot write his name beside it, does not keep everybody waiting for a master. */
    @SeededTest(runs = 20)
    void aCandidateWhoseProclamationFailsStandsAgain(RandomGenerator random) {
        SimScheduler scheduler = new SimScheduler(random.nextLong());
        SimLockService locks = new SimLockService(scheduler);
        locks.setFaults(new SimFaults(100, 5_000, 0.2, 0.2, 0));
        scheduler.run(Duration.ofMinutes(60), () -> {
            Election election =
                    new Election(locks.session("test", 6_000), scheduler, new Address("master", 1), "nonce");
            assertThat(election.win().epoch()).isPositive();
        });
    }
}
