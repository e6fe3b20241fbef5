package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PlanTest {
    @Test
    void aSeedIsAPlan() {
        assertThat(Plan.of(7, 60_000)).isEqualTo(Plan.of(7, 60_000)).isNotEqualTo(Plan.of(8, 60_000));
    }

    @Test
    void everyKindComesBeforeAnyComesAgain() {
        List<FaultKind> kinds =
                Plan.of(3, 600_000).strikes().stream().map(Strike::kind).toList();
        int all = FaultKind.values().length;
        assertThat(kinds).hasSizeGreaterThan(2 * all);
        assertThat(kinds.subList(0, all)).containsExactlyInAnyOrder(FaultKind.values());
    }

    @Test
    void twoMinutesHaveEveryKind() {
        for (long seed = 0; seed < 1_000; seed++) {
            assertThat(Plan.of(seed, 120_000).strikes())
                    .as("seed %d", seed)
                    .extracting(Strike::kind)
                    .contains(FaultKind.values());
        }
    }

    @Test
    void twoFaultsOfOneThingDoNotOverlap() {
        for (long seed = 0; seed < 50; seed++) {
            List<Strike> strikes = Plan.of(seed, 300_000).strikes();
            for (Strike one : strikes) {
                assertThat(strikes.stream()
                                .filter(other ->
                                        !other.equals(one) && other.kind().meets(one.kind()))
                                .filter(other ->
                                        other.atMillis() <= one.endMillis() && one.atMillis() <= other.endMillis())
                                .collect(Collectors.toList()))
                        .isEmpty();
            }
        }
    }

    /** A session that ends while ZooKeeper is away or its holder killed says nothing of what ends it. */
    @Test
    void aSessionExpiresWhileNothingIsDoneToZooKeeperOrMasters() {
        for (FaultKind kind : FaultKind.values()) {
            boolean alone = kind == FaultKind.RESTART_ZOOKEEPER
                    || kind == FaultKind.PAUSE_ZOOKEEPER
                    || kind == FaultKind.KILL_MASTER
                    || kind == FaultKind.PAUSE_MASTER
                    || kind == FaultKind.KILL_TABLET_SERVER
                    || kind == FaultKind.PAUSE_TABLET_SERVER;
            if (alone) {
                assertThat(kind.meets(FaultKind.EXPIRE_SESSION))
                        .as(kind.title())
                        .isTrue();
            }
        }
        assertThat(FaultKind.KILL_DATANODE.meets(FaultKind.EXPIRE_SESSION)).isFalse();
    }

    @Test
    void aShortPlanHasOneRound() {
        assertThat(Plan.of(1, 1).strikes()).hasSizeBetween(1, 3);
        assertThat(Plan.of(1, 1, Arrays.asList(FaultKind.KILL_MASTER)).strikes())
                .extracting(Strike::kind)
                .containsOnly(FaultKind.KILL_MASTER);
    }
}
