package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.OverloadedException;
import bt.base.ThreadScheduler;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may hold how much, and who has to wait for it. */
class ReadRoomTest {
    private static final int MAX = 100;

    private final ReadRoom room = new ReadRoom(MAX);
    private final List<String> begun = new ArrayList<>();
    private final List<ReadRoom.Hold> holds = new ArrayList<>();

    /** Memtables, caches and what is in flight have 85 percent. */
    @Test
    void thoseOfUsersAndOfMetadataHaveAnEighthOfTheHeapTogether() {
        ThreadScheduler scheduler = new ThreadScheduler();
        try (Pools pools = new Pools(scheduler, TabletServerConfig.DEFAULT)) {
            long users = pools.readRoom(TableSchema.METADATA_ID + 1).maxBytes();
            long metadata = pools.readRoom(TableSchema.METADATA_ID).maxBytes();
            assertThat(users + metadata)
                    .isLessThanOrEqualTo(Runtime.getRuntime().maxMemory() / 8);
            assertThat(metadata).isBetween(1L << 20, 64L << 20);
        } finally {
            scheduler.close();
        }
    }

    @Test
    void whatIsGivenBackIsThereForOthers() throws OverloadedException {
        ReadRoom.Hold first = room.hold();
        first.take(60);
        assertThatThrownBy(() -> room.hold().take(60)).isInstanceOf(OverloadedException.class);
        first.end();
        room.hold().take(60);
        assertThat(room.bytes()).isEqualTo(60);
    }

    @Test
    void whoIsAloneHasAllThatItNeeds() throws OverloadedException {
        ReadRoom.Hold alone = room.hold();
        alone.take(60);
        alone.take(600);
        assertThat(room.bytes()).isEqualTo(660);
        assertThatThrownBy(() -> room.hold().take(1)).isInstanceOf(OverloadedException.class);
        alone.end();
        assertThat(room.bytes()).isZero();
    }

    /** Two that have half, and need more, do not wait for each other: who waits has nothing. */
    @Test
    void whoNeedsMoreThanThereIsGivesBackWhatItHas() throws OverloadedException {
        ReadRoom.Hold one = room.hold();
        ReadRoom.Hold other = room.hold();
        one.take(50);
        other.take(50);
        refused(one, 30);
        waits("a", "one", one);
        assertThat(room.bytes()).isEqualTo(50);
        other.take(30);
        assertThat(begun).isEmpty();
        other.end();
        assertThat(begun).containsExactly("one");
        holds.get(0).take(80);
        assertThat(room.bytes())
                .as("what it lacked, and more for what comes of it")
                .isEqualTo(MAX);
        holds.get(0).end();
        assertThat(room.bytes()).isZero();
    }

    @Test
    void whoComesLaterStandsBehindThoseWhoWait() throws OverloadedException {
        ReadRoom.Hold first = room.hold();
        first.take(60);
        ReadRoom.Hold second = room.hold();
        refused(second, 50);
        waits("a", "second", second);
        ReadRoom.Hold third = room.hold();
        refused(third, 10);
        waits("a", "third", third);
        assertThat(begun).isEmpty();
        first.end();
        assertThat(begun).containsExactly("second");
        holds.get(0).end();
        assertThat(begun).containsExactly("second", "third");
    }

    @Test
    void hostsTakeTurns() throws OverloadedException {
        ReadRoom.Hold all = room.hold();
        all.take(MAX);
        for (int i = 0; i < 5; i++) {
            wait("many", "of many");
        }
        wait("one", "of one");
        all.end();
        for (int i = 0; i < 6; i++) {
            assertThat(holds).as("one alone has all of the room").hasSize(i + 1);
            holds.get(i).end();
        }
        assertThat(begun.subList(0, 2)).containsExactly("of many", "of one");
        assertThat(room.bytes()).isZero();
    }

    @Test
    void oneHostLeavesPlacesForAnother() throws OverloadedException {
        ReadRoom.Hold all = room.hold();
        all.take(MAX);
        for (int i = 0; i < 500; i++) {
            wait("many", "of many");
        }
        assertThatThrownBy(() -> wait("many", "one more")).isInstanceOf(OverloadedException.class);
        wait("one", "of one");
        assertThat(begun).isEmpty();
    }

    /** A read that was refused half of the room. */
    private void wait(String host, String name) throws OverloadedException {
        ReadRoom.Hold hold = room.hold();
        refused(hold, MAX / 2);
        waits(host, name, hold);
    }

    private static void refused(ReadRoom.Hold hold, long more) {
        assertThatThrownBy(() -> hold.take(more)).isInstanceOf(OverloadedException.class);
        assertThat(hold.isRefused()).isTrue();
        hold.end();
    }

    private void waits(String host, String name, ReadRoom.Hold refused) throws OverloadedException {
        refused.await(host, hold -> {
            begun.add(name);
            holds.add(hold);
        });
    }
}
