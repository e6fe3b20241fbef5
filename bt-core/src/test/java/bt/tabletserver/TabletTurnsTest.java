package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.model.TableSchema.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TabletTurnsTest {
    private static final int MANY = 100;

    private final List<CompletableFuture<Void>> begun = new ArrayList<>();

    private CompletableFuture<Void> begin() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        begun.add(work);
        return work;
    }

    /** So many tablets of different tables. */
    private static List<HostedTablet> tablets(CommitFixture server, int count) throws BigtableException {
        List<HostedTablet> tablets = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            tablets.add(server.hostAnother(i, Durability.SYNC));
        }
        return tablets;
    }

    private interface Story {
        void tell(CommitFixture server, TabletTurns turns, List<HostedTablet> tablets)
                throws BigtableException, InterruptedException;
    }

    private static void given(int mostAtOnce, int mostWaiting, int count, Story story) throws BigtableException {
        CommitFixture server = CommitFixture.of(1);
        server.run(() ->
                story.tell(server, new TabletTurns(new FewAtOnce(mostAtOnce, mostWaiting)), tablets(server, count)));
    }

    @Test
    void fewAreUnderWayAndOfATabletOneWaits() throws Exception {
        given(2, MANY, 3, (server, turns, tablets) -> {
            for (int i = 0; i < 5; i++) {
                tablets.forEach(tablet -> turns.ask(tablet, () -> true, this::begin));
            }
            assertThat(begun).hasSize(2);
            begun.get(0).complete(null);
            assertThat(begun).hasSize(3);
            begun.get(1).completeExceptionally(new IllegalStateException("no room"));
            begun.get(2).complete(null);
            assertThat(begun).as("asked for while one waited, or was under way").hasSize(3);
            tablets.forEach(tablet -> turns.ask(tablet, () -> true, this::begin));
            assertThat(begun).as("each may be asked for again").hasSize(5);
        });
    }

    @Test
    void whatIsRefusedIsBegunWhenItIsAskedForAgain() throws Exception {
        given(1, 1, 3, (server, turns, tablets) -> {
            tablets.forEach(tablet -> turns.ask(tablet, () -> true, this::begin));
            assertThat(begun).hasSize(1);
            begun.get(0).complete(null);
            begun.get(1).complete(null);
            assertThat(begun).as("the third was refused").hasSize(2);
            turns.ask(tablets.get(2), () -> true, this::begin);
            assertThat(begun).hasSize(3);
        });
    }

    @Test
    void whatIsNotWantedAnyMoreOrHasLeftIsNotBegun() throws Exception {
        given(1, MANY, 4, (server, turns, tablets) -> {
            turns.ask(tablets.get(0), () -> true, this::begin);
            turns.ask(tablets.get(1), () -> false, this::begin);
            turns.ask(tablets.get(2), () -> true, this::begin);
            turns.ask(tablets.get(3), () -> true, this::begin);
            tablets.get(2).tablet().close();
            begun.get(0).complete(null);
            assertThat(begun).hasSize(2);
            begun.get(1).complete(null);
            assertThat(begun)
                    .as("the last, and nothing of the one that has left")
                    .hasSize(2);
            turns.ask(tablets.get(1), () -> true, this::begin);
            assertThat(begun).as("wanted again").hasSize(3);
        });
    }

    /** As behind a hand-over that waits for METADATA: it may be long. */
    @Test
    void whatStandsBehindAnotherJobOfItsTabletKeepsNoPlace() throws Exception {
        given(1, MANY, 3, (server, turns, tablets) -> {
            CompletableFuture<Void> over = new CompletableFuture<>();
            CompletableFuture<Void> job = tablets.get(0).jobs().submit(() -> server.scheduler.await(over, 60_000));
            for (int i = 0; i < 2; i++) {
                tablets.forEach(tablet -> turns.ask(tablet, () -> true, this::begin));
            }
            assertThat(begun).as("the first, and one more").hasSize(2);
            over.complete(null);
            server.simulation.await(job, 10_000);
            begun.get(0).complete(null);
            begun.get(1).complete(null);
            assertThat(begun).hasSize(3);
        });
    }
}
