package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.protocol.Caller;
import bt.tabletserver.AskedSplits.Wish;
import bt.testing.SimScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AskedSplitsTest {
    private static final TabletId TABLET = new TabletId(7, Optional.of(Bytes.utf8("m")));

    private final SimScheduler scheduler = new SimScheduler(1);
    private final AskedSplits asked = new AskedSplits(scheduler.clock());
    private final AtomicBoolean isGone = new AtomicBoolean();

    /** The work that stands in line, or has begun, and how it ends. */
    private final List<Wish> line = new ArrayList<>();

    private final List<CompletableFuture<Bytes>> ends = new ArrayList<>();

    @Test
    void ofATabletOneWaitsBesideWhatIsUnderWay() throws Exception {
        CompletableFuture<Bytes> first = ask(staying(), "a");
        for (int i = 0; i < 1_000; i++) {
            assertRefused(ask(staying(), "b"));
        }
        CompletableFuture<Bytes> ofAnother =
                asked.ask(staying(), new TabletId(7, Optional.empty()), row("z"), wish -> new CompletableFuture<>());
        assertThat(ofAnother).isNotDone();
        assertThat(line).hasSize(1);
        assertThat(line.get(0).begin()).isEqualTo(row("a"));

        CompletableFuture<Bytes> second = ask(staying(), "b");
        assertRefused(ask(staying(), "c"));
        assertThat(line).hasSize(2);
        ends.get(0).complete(Bytes.utf8("a"));
        assertThat(first).isCompletedWithValue(Bytes.utf8("a"));
        assertThat(second).isNotDone();
        assertThat(line.get(1).begin()).isEqualTo(row("b"));
        ends.get(1).completeExceptionally(new IllegalStateException("it ended"));
        assertThatThrownBy(second::join).hasRootCauseMessage("it ended");
    }

    @Test
    void whoComesBehindOneWhoIsGoneHasItsPlace() throws Exception {
        CompletableFuture<Bytes> first = ask(leaving(), "a");
        isGone.set(true);
        CompletableFuture<Bytes> second = ask(staying(), "b");
        assertThatThrownBy(first::join).hasCauseInstanceOf(UnavailableException.class);
        assertThat(line).hasSize(1);
        assertThat(line.get(0).begin()).isEqualTo(row("b"));
        ends.get(0).complete(Bytes.utf8("b"));
        assertThat(second).isCompletedWithValue(Bytes.utf8("b"));
    }

    @Test
    void whatNobodyWaitsForIsNotBegun() {
        CompletableFuture<Bytes> ofOneWhoLeft = ask(leaving(), "a");
        isGone.set(true);
        assertNotBegun(0, ofOneWhoLeft, "gone");
        long past = scheduler.clock().nanos() - 1;
        assertNotBegun(1, ask(new Caller("mallory", "host:1", past), "b"), "past its deadline");
        assertThat(ask(staying(), "c")).isNotDone();
        assertThat(line).hasSize(3);
    }

    /** As where no thread takes it. */
    @Test
    void whatNeverBeganLeavesItsPlace() {
        CompletableFuture<Bytes> refused = ask(staying(), "a");
        ends.get(0).completeExceptionally(new UnavailableException("too much waits"));
        assertThatThrownBy(refused::join).hasCauseInstanceOf(UnavailableException.class);
        assertThat(ask(staying(), "b")).isNotDone();
        assertThat(line).hasSize(2);
    }

    private void assertNotBegun(int place, CompletableFuture<Bytes> end, String why) {
        assertThatThrownBy(line.get(place)::begin)
                .isInstanceOfSatisfying(UnavailableException.class, ends.get(place)::completeExceptionally)
                .hasMessageContaining(why);
        assertThatThrownBy(end::join).hasCauseInstanceOf(UnavailableException.class);
    }

    private static void assertRefused(CompletableFuture<Bytes> asked) {
        assertThatThrownBy(asked::join).hasCauseInstanceOf(OverloadedException.class);
    }

    private CompletableFuture<Bytes> ask(Caller caller, String row) {
        return asked.ask(caller, TABLET, row(row), wish -> {
            line.add(wish);
            ends.add(new CompletableFuture<>());
            return ends.get(ends.size() - 1);
        });
    }

    private static SplitRow row(String row) {
        return new SplitRow.Given(Bytes.utf8(row));
    }

    private static Caller staying() {
        return new Caller("ada", "host:1", Long.MAX_VALUE);
    }

    private Caller leaving() {
        return new Caller("mallory", "host:1", Long.MAX_VALUE, isGone::get);
    }
}
