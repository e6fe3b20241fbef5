package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.master.Commands.Command;
import bt.master.TableChanges.Begun;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.record.Done;
import bt.record.DropTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TableChangesTest {
    private static final long AGAIN_MILLIS = 300;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Clock clock = scheduler.clock();
    private final TableChanges changes = new TableChanges(clock, "owner", AGAIN_MILLIS);
    private final List<String> made = new ArrayList<>();
    private final AtomicBoolean gone = new AtomicBoolean();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private Caller caller(String user, String host) {
        return new Caller(user, host + ":40000", clock.nanos() + 3_600_000_000_000L);
    }

    private void add(Caller caller, String name) throws OverloadedException {
        CompletableFuture<Answer> unused = begin(caller, name);
    }

    private CompletableFuture<Answer> begin(Caller caller, String name) throws OverloadedException {
        Command command = new Command(caller, new DropTable(name, 1L), new CompletableFuture<>());
        changes.add(
                command,
                () -> Begun.withoutRows(() -> {
                    made.add(name);
                    return new Done();
                }));
        return command.answer();
    }

    /** As many as there is something to do about, the master's way. */
    private void makeAll() throws InterruptedException {
        for (int i = 0; changes.ready().isPresent(); i++) {
            assertThat(i).isLessThan(10_000);
            Command command = changes.ready().get();
            try {
                changes.advance();
            } catch (BigtableException failed) {
                command.answer().completeExceptionally(failed);
            }
        }
    }

    /** A job may create hundreds of tables at a time, without malice. */
    @Test
    void whoComesBehindHundredsOfAnotherHostIsSecond() throws Exception {
        for (int i = 0; i < 500; i++) {
            add(caller("job", "greedy"), "greedy" + i);
        }
        assertThatThrownBy(() -> add(caller("job", "greedy"), "one more"))
                .isInstanceOfSatisfying(OverloadedException.class, refused -> assertThat(refused.retryAfterMillis())
                        .isEqualTo(AGAIN_MILLIS));
        add(caller("ada", "modest"), "ada's");
        add(caller("owner", "greedy"), "owner's");
        makeAll();
        assertThat(made).hasSize(502).startsWith("owner's", "greedy0", "ada's", "greedy1");
    }

    @Test
    void oneIsNotBegunWhenItsCallerIsGone() throws Exception {
        CompletableFuture<Answer> lost =
                begin(new Caller("ada", "a:1", clock.nanos() + 3_600_000_000_000L, gone::get), "lost");
        CompletableFuture<Answer> next = begin(caller("ada", "a"), "next");
        assertThat(changes.ready()).isPresent();
        gone.set(true);
        makeAll();
        assertThat(made).containsExactly("next");
        assertThat(next).isCompleted();
        assertNotApplied(lost);
    }

    @Test
    void oneIsNotBegunBehindItsDeadline() throws Exception {
        CompletableFuture<Answer> late = begin(new Caller("ada", "a:1", clock.nanos() - 1), "late");
        add(caller("ada", "a"), "next");
        makeAll();
        assertThat(made).containsExactly("next");
        assertNotApplied(late);
    }

    /** Where the line comes round more slowly than a client waits, each of its attempts would be over at its turn. */
    @Test
    void whoHasGivenUpAndComeAgainHasHisTurn() throws Exception {
        List<CompletableFuture<Answer>> late = new ArrayList<>();
        for (String host : List.of("gone", "ada", "ada")) {
            late.add(begin(new Caller("ada", host + ":1", clock.nanos() - 1), "late"));
        }
        for (String host : List.of("ada", "busy")) {
            add(caller("ada", host), host + "1");
            add(caller("ada", host), host + "2");
        }
        makeAll();
        assertThat(made).containsExactly("ada1", "busy1", "ada2", "busy2");
        late.forEach(TableChangesTest::assertNotApplied);
    }

    private static void assertNotApplied(CompletableFuture<Answer> answer) {
        assertThatThrownBy(answer::get).cause().isInstanceOfSatisfying(UnavailableException.class, failed -> assertThat(
                        failed.outcome())
                .isEqualTo(Outcome.NOT_APPLIED));
    }

    /** There may be rows of it already, and who is told so asks again. */
    @Test
    void whatIsBegunIsMadeThoughItsCallerIsGone() throws Exception {
        CompletableFuture<Void> rows = new CompletableFuture<>();
        Caller caller = new Caller("ada", "a:1", clock.nanos() + 3_600_000_000_000L, gone::get);
        Command command = new Command(caller, new DropTable("t", 1L), new CompletableFuture<>());
        changes.add(
                command,
                () -> new Begun(rows, () -> {
                    made.add("t");
                    return new Done();
                }));
        add(caller("bob", "b"), "bob's");
        makeAll();
        assertThat(made).isEmpty();
        gone.set(true);
        rows.complete(null);
        makeAll();
        assertThat(made).containsExactly("t", "bob's");
    }

    @Test
    void whatIsBegunIsAmongWhatIsDrained() throws Exception {
        Command command = new Command(caller("ada", "a"), new DropTable("t", 1L), new CompletableFuture<>());
        changes.add(command, () -> new Begun(new CompletableFuture<>(), Done::new));
        makeAll();
        add(caller("bob", "b"), "bob's");
        assertThat(changes.drain()).hasSize(2).contains(command);
        assertThat(changes.ready()).isEmpty();
        assertThat(made).isEmpty();
    }
}
