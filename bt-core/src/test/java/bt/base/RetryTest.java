package bt.base;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RetryTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private final SimScheduler scheduler = new SimScheduler(3);
    private final Retry retry = new Retry(scheduler, scheduler.random("retry"), DEADLINE_MILLIS);

    /** When each attempt of one that is overloaded began, in milliseconds since the first. */
    private List<Long> attempts(int failures, long retryAfterMillis) {
        List<Long> began = new ArrayList<>();
        scheduler.run(Duration.ofMinutes(1), () -> {
            try {
                retry.run("test", deadline -> {
                    began.add(scheduler.clock().nanos() / 1_000_000);
                    if (began.size() <= failures) {
                        throw new OverloadedException("too much", retryAfterMillis);
                    }
                    return true;
                });
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        long first = began.get(0);
        return began.stream().map(at -> at - first).toList();
    }

    @Test
    void aSubjectIsPutIntoWordsForAFailureAlone() {
        AtomicInteger words = new AtomicInteger();
        Supplier<String> subject = () -> "subject " + words.incrementAndGet();
        scheduler.run(Duration.ofMinutes(1), () -> {
            try {
                assertThat(retry.<Boolean>run(subject, deadline -> true)).isTrue();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
            assertThat(words).hasValue(0);
            assertThatThrownBy(() -> retry.run(subject, deadline -> {
                        throw new UnavailableException("gone", Outcome.NOT_APPLIED);
                    }))
                    .hasMessageStartingWith("subject 1: gone");
            assertThat(words).hasValue(1);
        });
    }

    @Test
    void eachAttemptAtAChangeIsToldWhetherOneBeforeItMayHaveMadeIt() {
        List<Boolean> told = new ArrayList<>();
        List<Outcome> outcomes = List.of(Outcome.NOT_APPLIED, Outcome.UNKNOWN, Outcome.NOT_APPLIED);
        scheduler.run(Duration.ofMinutes(1), () -> {
            try {
                assertThat(retry.<String>change("test", (deadline, mayBeMade) -> {
                            told.add(mayBeMade);
                            if (told.size() <= outcomes.size()) {
                                throw new UnavailableException("no answer", outcomes.get(told.size() - 1));
                            }
                            return "made";
                        }))
                        .isEqualTo("made");
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        assertThat(told).containsExactly(false, false, true, true);
    }

    @Test
    void whoIsToldWhenToComeBackComesNotBefore() {
        List<Long> began = attempts(3, 500);
        for (int i = 1; i < began.size(); i++) {
            assertThat(began.get(i) - began.get(i - 1)).isGreaterThanOrEqualTo(500);
        }
    }

    @Test
    void notAllComeBackAtThatMoment() {
        TreeSet<Long> moments = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            SimScheduler room = new SimScheduler(i);
            Retry own = new Retry(room, room.random("retry"), DEADLINE_MILLIS);
            room.run(Duration.ofMinutes(1), () -> {
                List<Long> began = new ArrayList<>();
                try {
                    own.run("test", deadline -> {
                        began.add(room.clock().nanos() / 1_000_000);
                        if (began.size() == 1) {
                            throw new OverloadedException("too much", 500);
                        }
                        return true;
                    });
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
                moments.add(began.get(1) - began.get(0));
            });
        }
        assertThat(moments).hasSizeGreaterThan(5);
    }

    @Test
    void whatNobodyAnswersSaysOnceWhatToDo() {
        scheduler.run(Duration.ofMinutes(1), () -> assertThatThrownBy(() -> retry.run(
                        "outer",
                        deadline -> retry.run("inner", Deadline.after(scheduler.clock(), 0), inner -> {
                            throw new UnavailableException("no answer");
                        })))
                .isInstanceOf(UnavailableException.class)
                .hasMessageMatching("outer: inner: no answer \\(attempt 1, given up after \\d+ ms\\)"
                        + " \\(attempt \\d+, given up after \\d+ ms\\): try again later; if it stays so, see"
                        + " which servers live and what is damaged"));
    }

    /** Told by what was thrown: a message that happens to hold the same words says nothing. */
    @Test
    void whatOthersWereFasterWithIsToldByTheExceptionNotByItsText() {
        OverloadedException contended = OverloadedException.contended("row r was changed");
        String advice = contended.getMessage().substring("row r was changed".length());
        assertThat(advice).startsWith(": try again later, with fewer who change it at a time");
        givesUp(contended, "outer: inner: row r was changed", advice);
        givesUp(
                new OverloadedException("row r was changed" + advice, 0),
                "outer: inner: row r was changed" + advice,
                ": try again later, with less at a time");
    }

    private static void givesUp(OverloadedException failure, String beginning, String advice) {
        SimScheduler room = new SimScheduler(1);
        Retry own = new Retry(room, room.random("retry"), DEADLINE_MILLIS);
        room.run(Duration.ofMinutes(1), () -> assertThatThrownBy(() -> own.run(
                        "outer",
                        deadline -> own.run("inner", Deadline.after(room.clock(), 0), inner -> {
                            throw failure;
                        })))
                .isInstanceOf(OverloadedException.class)
                .hasMessageMatching(Pattern.quote(beginning) + " \\(attempt 1, given up after \\d+ ms\\)"
                        + " \\(attempt \\d+, given up after \\d+ ms\\)" + Pattern.quote(advice)));
    }

    /** Its first attempt has had no answer, and the others are told to come back. */
    @Test
    void aReadThatWasNotAnsweredIsOverloadedWhereTheOthersWereAndAChangeIsInDoubt() {
        AtomicInteger attempts = new AtomicInteger();
        Retry.Attempt<Boolean> attempt = deadline -> {
            if (attempts.incrementAndGet() == 1) {
                throw new UnavailableException("no answer");
            }
            throw new OverloadedException("too much", 500);
        };
        scheduler.run(Duration.ofMinutes(1), () -> {
            assertThatThrownBy(() -> retry.ofReads().run("test", attempt))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageEndingWith(": try again later, with less at a time");
            attempts.set(0);
            assertThatThrownBy(() -> retry.run("test", attempt))
                    .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                            .isEqualTo(Outcome.UNKNOWN));
        });
    }

    @Test
    void whoWouldComeBackPastTheDeadlineGivesUpAtOnce() {
        scheduler.run(Duration.ofMinutes(1), () -> {
            long begin = scheduler.clock().nanos();
            assertThatThrownBy(() -> retry.run("test", deadline -> {
                        throw new OverloadedException("too much", DEADLINE_MILLIS);
                    }))
                    .isInstanceOfSatisfying(OverloadedException.class, failure -> assertThat(failure.retryAfterMillis())
                            .isEqualTo(DEADLINE_MILLIS))
                    .hasMessageMatching(
                            "test: too much \\(attempt 1, given up after \\d+ ms\\): try again later, with less at a"
                                    + " time");
            assertThat(scheduler.clock().nanos() - begin).isLessThan(1_000_000_000L);
        });
    }

    /** The answer to the first attempt is lost; the others find nobody. */
    @Test
    void whatOneAttemptMayHaveDoneIsUnknownHoweverTheOthersFailed() {
        BigtableException lost = new UnavailableException("no answer", Outcome.UNKNOWN);
        BigtableException nobody = new UnavailableException("nobody there", Outcome.NOT_APPLIED);
        assertThat(failure(lost, nobody))
                .isInstanceOf(UnavailableException.class)
                .hasMessageStartingWith("test: nobody there (attempt ")
                .extracting(BigtableException::outcome)
                .isEqualTo(Outcome.UNKNOWN);
        assertThat(failure(nobody, nobody).outcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(failure(lost, new OverloadedException("too much", 500)))
                .isInstanceOf(UnavailableException.class)
                .extracting(BigtableException::outcome)
                .isEqualTo(Outcome.UNKNOWN);
        assertThat(failure(nobody, new OverloadedException("too much", 500))).isInstanceOf(OverloadedException.class);
        assertThat(failure(lost, new RejectedException("no such table", "ask for another")))
                .isInstanceOf(RejectedException.class)
                .hasMessage("no such table: ask for another")
                .extracting(BigtableException::outcome)
                .isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void whatOneAttemptMayHaveDoneIsUnknownWhenTheOwnerEnds() {
        Ending ending = new Ending("it ended", "begin another");
        Retry own = new Retry(scheduler, scheduler.random("own"), DEADLINE_MILLIS, ending);
        List<BigtableException> failures = new ArrayList<>(List.of(
                new UnavailableException("no answer", Outcome.UNKNOWN),
                new UnavailableException("nobody there", Outcome.NOT_APPLIED)));
        scheduler.run(Duration.ofMinutes(1), () -> assertThatThrownBy(() -> own.run("test", deadline -> {
                    BigtableException next = failures.remove(0);
                    if (failures.isEmpty()) {
                        ending.end();
                    }
                    throw next;
                }))
                .isInstanceOfSatisfying(RejectedException.class, failure -> assertThat(failure.outcome())
                        .isEqualTo(Outcome.UNKNOWN)));
    }

    /** What it fails with whose first attempt failed so, and all others like that. */
    private static BigtableException failure(BigtableException first, BigtableException others) {
        SimScheduler room = new SimScheduler(3);
        Retry own = new Retry(room, room.random("retry"), DEADLINE_MILLIS);
        AtomicInteger attempts = new AtomicInteger();
        AtomicReference<BigtableException> thrown = new AtomicReference<>();
        room.run(Duration.ofMinutes(1), () -> {
            try {
                own.run("test", deadline -> {
                    throw attempts.incrementAndGet() == 1 ? first : others;
                });
            } catch (BigtableException failed) {
                thrown.set(failed);
            }
        });
        return requireNonNull(thrown.get());
    }
}
