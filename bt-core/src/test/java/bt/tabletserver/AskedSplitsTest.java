package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.protocol.Caller;
import bt.tabletserver.AskedSplits.Splitting;
import bt.tabletserver.AskedSplits.Wish;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AskedSplitsTest {
    private static final TabletId TABLET = new TabletId(7, Optional.of(Bytes.utf8("m")));
    private static final TabletId ANOTHER = new TabletId(7, Optional.empty());
    private static final int MOST_WAITING = 10_000;

    private final SimScheduler scheduler = new SimScheduler(1);
    private final AskedSplits asked = new AskedSplits(new FewAtOnce(1, MOST_WAITING), scheduler);
    private final AtomicBoolean isGone = new AtomicBoolean();

    /** What has had its turn. */
    private final List<Begun> begun = new ArrayList<>();

    private record Begun(TabletId id, Wish wish, Splitting split) {
        private void ends(String row) {
            split.row().complete(Bytes.utf8(row));
            split.busy().complete(null);
        }
    }

    @Test
    void ofATabletOneWaitsBesideWhatIsUnderWay() throws Exception {
        CompletableFuture<Bytes> first = ask(staying(), "a");
        assertThat(begun).hasSize(1);
        assertThat(begun.get(0).wish.begin()).isEqualTo(row("a"));
        CompletableFuture<Bytes> second = ask(staying(), "b");
        for (int i = 0; i < 1_000; i++) {
            assertRefused(ask(staying(), "c"));
        }
        CompletableFuture<Bytes> ofAnother = ask(staying(), ANOTHER, "z");
        assertThat(begun).hasSize(1);

        begun.get(0).ends("a");
        assertThat(first).isCompletedWithValue(Bytes.utf8("a"));
        assertThat(second).isNotDone();
        assertThat(begun).hasSize(2);
        assertThat(begun.get(1).wish.begin()).isEqualTo(row("b"));
        CompletableFuture<Bytes> third = ask(staying(), "c");
        assertRefused(ask(staying(), "d"));
        begun.get(1).split.row().completeExceptionally(new IllegalStateException("it ended"));
        assertThat(failure(second)).hasMessage("it ended");
        begun.get(1).split.busy().complete(null);
        assertThat(begun).hasSize(3);
        assertThat(begun.get(2).id).isEqualTo(ANOTHER);
        begun.get(2).ends("z");
        assertThat(ofAnother).isCompletedWithValue(Bytes.utf8("z"));
        begun.get(3).ends("c");
        assertThat(third).isCompletedWithValue(Bytes.utf8("c"));
    }

    @Test
    void splitsOfOneHostsThousandTabletsDelayAnothersByOne() {
        List<CompletableFuture<Bytes>> mallorys = IntStream.range(0, 1_000)
                .mapToObj(i -> ask(staying(), tablet(i), "a"))
                .toList();
        CompletableFuture<Bytes> adas = ask(new Caller("ada", "another:1", Long.MAX_VALUE), TABLET, "b");
        assertThat(begun).as("that can be jobs of tablets").hasSize(1);
        for (int i = 0; i < 3; i++) {
            begun.get(i).ends("x");
        }
        assertThat(adas).isCompleted();
        assertThat(mallorys).filteredOn(CompletableFuture::isDone).hasSize(2);
        assertThat(mallorys).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(begun).hasSize(4);
    }

    /** What waits for METADATA holds no thread between two attempts. */
    @Test
    void theNextBeginsWhenOneNeedsNoThreadAnyMore() {
        CompletableFuture<Bytes> first = ask(staying(), "a");
        CompletableFuture<Bytes> ofAnother = ask(staying(), ANOTHER, "z");
        begun.get(0).split.busy().complete(null);
        assertThat(begun).hasSize(2);
        begun.get(1).ends("z");
        assertThat(ofAnother).isCompleted();
        assertThat(first).isNotDone();
        begun.get(0).split.row().complete(Bytes.utf8("a"));
        assertThat(first).isCompleted();
    }

    @Test
    void whoComesBehindOneWhoIsGoneHasItsPlace() throws Exception {
        CompletableFuture<Bytes> underWay = ask(staying(), ANOTHER, "z");
        CompletableFuture<Bytes> first = ask(leaving(), "a");
        isGone.set(true);
        CompletableFuture<Bytes> second = ask(staying(), "b");
        assertThat(failure(first)).isInstanceOf(UnavailableException.class);
        begun.get(0).ends("z");
        assertThat(underWay).isCompleted();
        assertThat(begun).hasSize(2);
        assertThat(begun.get(1).wish.begin()).isEqualTo(row("b"));
        begun.get(1).ends("b");
        assertThat(second).isCompletedWithValue(Bytes.utf8("b"));
        assertThat(begun).hasSize(2);
    }

    @Test
    void anotherHostThatComesBehindOneWhoIsGoneStandsInNoneOfItsLine() {
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Bytes> unused = ask(staying(), tablet(i), "a");
        }
        CompletableFuture<Bytes> first = ask(leaving(), "m");
        isGone.set(true);
        CompletableFuture<Bytes> adas = ask(new Caller("ada", "another:1", Long.MAX_VALUE), "b");
        assertThat(failure(first)).isInstanceOf(UnavailableException.class);
        for (int i = 0; i < 3; i++) {
            begun.get(i).ends("x");
        }
        assertThat(adas).isCompletedWithValue(Bytes.utf8("x"));
        for (int i = 3; i < begun.size(); i++) {
            begun.get(i).ends("x");
        }
        assertThat(begun).as("what the first had a turn for is done").hasSize(101);
        assertThat(ask(staying(), "c")).isNotDone();
        assertThat(begun).hasSize(102);
    }

    /** What is in doubt in METADATA comes before it, perhaps for as long as METADATA is away. */
    @Test
    void aTabletThatDoesNotComeToItKeepsOthersWaitingForTenSeconds() {
        scheduler.run(Duration.ofMinutes(1), () -> {
            CompletableFuture<Bytes> first = ask(staying(), "a");
            CompletableFuture<Bytes> ofAnother = ask(staying(), ANOTHER, "z");
            scheduler.pause(9_900);
            assertThat(begun).hasSize(1);
            scheduler.pause(200);
            assertThat(begun).hasSize(2);
            begin(begun.get(1));
            CompletableFuture<Bytes> third = ask(staying(), tablet(1), "c");
            scheduler.pause(20_000);
            assertThat(begun).as("one that is begun has its time").hasSize(2);
            begun.get(1).ends("z");
            assertThat(ofAnother).isCompleted();
            assertThat(begun).hasSize(3);
            begun.get(0).ends("a");
            assertThat(first).isCompleted();
            assertThat(third).isNotDone();
        });
    }

    private static void begin(Begun split) {
        try {
            SplitRow unused = split.wish.begin();
        } catch (BigtableException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void whatNobodyWaitsForIsNotBegun() {
        CompletableFuture<Bytes> underWay = ask(staying(), ANOTHER, "z");
        CompletableFuture<Bytes> ofOneWhoLeft = ask(leaving(), tablet(1), "a");
        long past = scheduler.clock().nanos() - 1;
        CompletableFuture<Bytes> late = ask(new Caller("mallory", "host:1", past), tablet(2), "b");
        CompletableFuture<Bytes> leftLater = ask(leaving(), tablet(3), "c");
        isGone.set(true);
        begun.get(0).ends("z");
        assertThat(underWay).isCompleted();
        assertThat(begun).hasSize(1);
        assertThat(failure(ofOneWhoLeft)).hasMessageContaining("gone");
        assertThat(failure(late)).hasMessageContaining("past its deadline");
        assertThat(failure(leftLater)).isInstanceOf(UnavailableException.class);
        assertThat(ask(staying(), tablet(1), "c")).isNotDone();
        assertThat(begun).hasSize(2);
    }

    /** Behind what else its tablet has to do. */
    @Test
    void whatNobodyWaitsForWhenTheTabletComesToItIsNotBegun() {
        CompletableFuture<Bytes> first = ask(leaving(), "a");
        isGone.set(true);
        assertThatThrownBy(begun.get(0).wish::begin)
                .isInstanceOfSatisfying(
                        UnavailableException.class, begun.get(0).split.row()::completeExceptionally)
                .hasMessageContaining("gone");
        assertThat(failure(first)).isInstanceOf(UnavailableException.class);
    }

    @Test
    void whatFindsNoPlaceLeavesNone() {
        AskedSplits narrow = new AskedSplits(new FewAtOnce(1, 1), scheduler);
        CompletableFuture<Bytes> underWay = ask(narrow, staying(), ANOTHER, "z");
        CompletableFuture<Bytes> waits = ask(narrow, staying(), tablet(1), "a");
        assertThat(failure(ask(narrow, staying(), TABLET, "b"))).isInstanceOf(UnavailableException.class);
        begun.get(0).ends("z");
        assertThat(underWay).isCompleted();
        assertThat(waits).isNotDone();
        assertThat(ask(narrow, staying(), TABLET, "c")).isNotDone();
        begun.get(1).ends("a");
        assertThat(begun).hasSize(3);
        assertThat(begun.get(2).id).isEqualTo(TABLET);
    }

    @Test
    void refusalsAreOneWithoutAStack() {
        List<Throwable> ends = IntStream.range(0, 5)
                .mapToObj(i -> ask(staying(), "a"))
                .skip(2)
                .map(AskedSplitsTest::failure)
                .distinct()
                .toList();
        assertThat(ends).hasSize(1);
        assertThat(ends.get(0))
                .isInstanceOfSatisfying(OverloadedException.class, refused -> assertThat(refused.retryAfterMillis())
                        .isPositive());
        assertThat(ends.get(0).getStackTrace()).isEmpty();
    }

    private static TabletId tablet(int number) {
        return new TabletId(8, Optional.of(Bytes.utf8("r" + number)));
    }

    private static Throwable failure(CompletableFuture<Bytes> asked) {
        assertThat(asked).isCompletedExceptionally();
        return asked.handle((row, failure) -> failure).join();
    }

    private static void assertRefused(CompletableFuture<Bytes> asked) {
        assertThat(failure(asked)).isInstanceOf(OverloadedException.class);
    }

    private CompletableFuture<Bytes> ask(Caller caller, String row) {
        return ask(caller, TABLET, row);
    }

    private CompletableFuture<Bytes> ask(Caller caller, TabletId id, String row) {
        return ask(asked, caller, id, row);
    }

    private CompletableFuture<Bytes> ask(AskedSplits of, Caller caller, TabletId id, String row) {
        return of.ask(caller, id, row(row), wish -> {
            Splitting split = new Splitting(new CompletableFuture<>(), new CompletableFuture<>());
            begun.add(new Begun(id, wish, split));
            return split;
        });
    }

    private static SplitRow row(String row) {
        return new SplitRow.Given(Bytes.utf8(row));
    }

    private static Caller staying() {
        return new Caller("mallory", "host:1", Long.MAX_VALUE);
    }

    private Caller leaving() {
        return new Caller("mallory", "host:1", Long.MAX_VALUE, isGone::get);
    }
}
