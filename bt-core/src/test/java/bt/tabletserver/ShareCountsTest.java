package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.model.GcRule;
import bt.model.Quotas;
import bt.model.TableSchema;
import bt.tabletserver.ShareCounts.Owner;
import bt.testing.ManualClock;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ShareCountsTest {
    private static final int MAX_SHARES = 10_000;
    private static final TableSchema SCHEMA = TableSchema.draft("t")
            .family("f", GcRule.KEEP_ALL)
            .quotas(Quotas.NONE.eachUser(OptionalLong.of(100)))
            .build();

    private final ManualClock clock = new ManualClock(0);
    private final ShareCounts counts = new ShareCounts(clock);

    @Test
    void theUsersOfTablesThatHaveGoneMakeRoomForOthers() {
        for (int i = 0; i < MAX_SHARES; i++) {
            counts.add(SCHEMA, "user" + i, 1, 7);
        }
        counts.add(SCHEMA, "one more", 1, 7);
        assertThat(counts.sum(Owner.of(SCHEMA.id(), "user1"))).isEqualTo(7);
        assertThat(counts.sum(Owner.of(SCHEMA.id(), "one more"))).isZero();

        assertThat(counts.report(List.of())).isEmpty();
        clock.set(ShareCounts.FORGET_NANOS / 1_000 - 1);
        assertThat(counts.report(List.of())).isEmpty();
        assertThat(counts.sum(Owner.of(SCHEMA.id(), "user1"))).isEqualTo(7);

        clock.set(ShareCounts.FORGET_NANOS / 1_000 + 1_000_000);
        assertThat(counts.report(List.of())).isEmpty();
        assertThat(counts.sum(Owner.of(SCHEMA.id(), "user1"))).isZero();
        counts.add(SCHEMA, "one more", 1, 7);
        assertThat(counts.sum(Owner.of(SCHEMA.id(), "one more"))).isEqualTo(7);
        assertThat(counts.told()).doesNotContainKey(Owner.of(SCHEMA.id(), "user1"));
    }

    /** One write may put a byte into each of a table's families. */
    @Test
    void whoeverIsKnownHasNoShareOfEveryFamilyWhereThereIsNoRoomForThem() {
        for (int i = 0; i < MAX_SHARES; i++) {
            counts.add(SCHEMA, "user" + i % 100, i / 100, 7);
        }
        assertThat(counts.size()).isEqualTo(MAX_SHARES);
        for (int i = 0; i < 2 * MAX_SHARES; i++) {
            counts.add(SCHEMA, "user" + i % 100, 100 + i / 100, 7);
        }
        assertThat(counts.size()).as("one more of each family, nobody's").isEqualTo(MAX_SHARES + 2 * MAX_SHARES / 100);
        counts.add(SCHEMA, "user1", 1, 7);
        assertThat(counts.sum(Owner.of(SCHEMA.id(), "user1")))
                .as("what it has put into every family, told apart or not")
                .isEqualTo(7L * (3 * MAX_SHARES / 100 + 1));
    }

    /** Or with the next look it would be nothing that he has put there, and he be held to nothing. */
    @Test
    void theMasterIsNotTakenToKnowOfAUserWhatItIsToldToBeNobodys() {
        for (int i = 0; i < MAX_SHARES; i++) {
            counts.add(SCHEMA, "user" + i % 100, i / 100, 7);
        }
        Owner known = Owner.of(SCHEMA.id(), "user1");
        counts.add(SCHEMA, "user1", MAX_SHARES, 50);
        clock.set(1_000_000);
        assertThat(counts.report(List.of())).isEmpty();
        assertThat(counts.sum(known)).isEqualTo(7 * MAX_SHARES / 100 + 50);
        assertThat(counts.told()).containsEntry(known, 7L * MAX_SHARES / 100);
    }

    /** Ids of families are never given twice, so one user may have any number of them, one after the other. */
    @Test
    void familiesWithoutEndHaveNoShareEach() {
        for (int i = 0; i < 100 * MAX_SHARES; i++) {
            counts.add(SCHEMA, "user", i, 7);
        }
        assertThat(counts.size()).isLessThanOrEqualTo(4 * MAX_SHARES + 1);
        assertThat(counts.sum(Owner.of(SCHEMA.id(), "user"))).isEqualTo(7L * 100 * MAX_SHARES);
    }

    /** Whose users were not counted then, and had no quota there, without a word. */
    @Test
    void aTableThatIsFullLeavesRoomForTheUsersOfOthers() {
        for (int i = 0; i < 3 * MAX_SHARES; i++) {
            counts.add(SCHEMA, "user", i, 7);
        }
        TableSchema other = new TableSchema(
                SCHEMA.id() + 1,
                "other",
                1,
                2,
                SCHEMA.durability(),
                SCHEMA.families(),
                SCHEMA.groups(),
                SCHEMA.quotas(),
                SCHEMA.access());
        counts.add(other, "ada", 1, 7);
        assertThat(counts.sum(Owner.of(other.id(), "ada"))).isEqualTo(7);
    }
}
