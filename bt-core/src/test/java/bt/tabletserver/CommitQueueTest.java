package bt.tabletserver;

import static bt.tabletserver.CommitFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler.Worker;
import bt.base.Together;
import bt.base.UnavailableException;
import bt.log.LogBatch;
import bt.log.LogRecord;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema.Durability;
import bt.model.UncompiledRegex;
import bt.protocol.Caller;
import bt.protocol.Condition;
import bt.protocol.RowDigest;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.OpenWrite;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class CommitQueueTest {
    private static WriteId number(long number) {
        return new WriteId(1, number, 1);
    }

    private static BigtableException failure(WriteResult result) {
        return result.failure().orElseThrow();
    }

    @Test
    void aRowThatTakesNoWritesHereIsRefusedInFewWords() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            RowMutation mutation = RowMutation.of(Bytes.wrap(new byte[Limits.ROW_BYTES]))
                    .set(ColumnKey.of("f", "q"), Bytes.EMPTY)
                    .build();
            CompletableFuture<WriteResult> answer = new CompletableFuture<>();
            long deadline =
                    server.scheduler.clock().nanos() + Duration.ofMinutes(1).toNanos();
            server.hosted
                    .queue()
                    .write(WriteEntry.of(
                            new Caller("test", "", deadline),
                            999,
                            new Write(mutation, number(1), Optional.empty()),
                            answer::complete));
            assertThat(failure(server.simulation.await(answer, 30_000)))
                    .hasMessageStartingWith("row ")
                    .hasMessageContaining("…(65536 bytes) takes no writes on this server")
                    .extracting(failure -> failure.getMessage().length(), InstanceOfAssertFactories.INTEGER)
                    .isLessThan(600);
        });
    }

    /** Or whoever writes what nobody takes could use up others' quotas. */
    @Test
    void aWriteThatIsRefusedIsNotCountedAsThere() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            RowMutation elsewhere = RowMutation.of("row").set("none", "q", "v").build();
            assertThat(failure(server.simulation.await(server.begin(elsewhere, number(1), Optional.empty()), 30_000)))
                    .isInstanceOf(RejectedException.class);
            assertThat(server.admitted).isEmpty();
            assertThat(server.write("row", "v", number(2)).failure()).isEmpty();
            assertThat(server.admitted).hasSize(1);
        });
    }

    private static List<WriteResult> writeAll(CommitFixture server, List<RowMutation> mutations, long firstNumber)
            throws BigtableException, InterruptedException {
        List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
        List<WriteEntry> entries = new ArrayList<>();
        Caller caller = new Caller(
                "test",
                "",
                server.scheduler.clock().nanos() + Duration.ofMinutes(1).toNanos());
        for (RowMutation mutation : mutations) {
            CompletableFuture<WriteResult> answer = new CompletableFuture<>();
            Write write = new Write(mutation, number(firstNumber + entries.size()), Optional.empty());
            entries.add(WriteEntry.of(caller, server.hosted.id().tableId(), write, answer::complete));
            answers.add(answer);
        }
        server.hosted.queue().write(entries);
        List<WriteResult> results = new ArrayList<>();
        for (CompletableFuture<WriteResult> answer : answers) {
            results.add(server.simulation.await(answer, 30_000));
        }
        return results;
    }

    /** An event loop that is woken by the first of them would send it alone. */
    @Test
    void thoseWhoseWritesAreInOneBatchAreAnsweredTogether() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            List<Runnable> given = new ArrayList<>();
            Executor loop = given::add;
            List<WriteResult> told = new ArrayList<>();
            Caller caller = new Caller(
                    "test",
                    "",
                    server.scheduler.clock().nanos() + Duration.ofMinutes(1).toNanos());
            List<WriteEntry> entries = new ArrayList<>();
            for (RowMutation mutation : puts(20, "v")) {
                Write write = new Write(mutation, number(entries.size() + 1), Optional.empty());
                entries.add(WriteEntry.of(
                        caller,
                        server.hosted.id().tableId(),
                        write,
                        result -> Together.give(loop, () -> told.add(result), () -> {})));
            }
            server.hosted.queue().write(entries);
            server.simulation.pause(10_000);
            assertThat(given).hasSize(1);
            given.get(0).run();
            assertThat(told).hasSize(20).allMatch(result -> result.failure().isEmpty());
        });
    }

    private static List<RowMutation> puts(int rows, String value) {
        return IntStream.range(0, rows)
                .mapToObj(i -> put(String.format("row-%06d", i), value))
                .toList();
    }

    /** So that those of whom it has too much come again, and not all of them. One host may have half of all room. */
    @Test
    void ofWritesThatComeTogetherTheLastAreRefusedForWhichThereIsNoRoom() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            List<WriteResult> many = writeAll(server, puts(11_000, "v".repeat(2_000)), 1);
            assertThat(many.subList(0, 10_000))
                    .allMatch(result -> result.failure().isEmpty());
            assertThat(many.subList(10_000, 11_000)).allMatch(result -> failure(result) instanceof OverloadedException);
            // A failure for each would be more than the writes are.
            assertThat(many.subList(10_000, 11_000).stream()
                            .map(CommitQueueTest::failure)
                            .distinct())
                    .hasSize(1);
            // What was refused takes no room afterwards: of bytes there is as much as ever.
            for (long number = 20_000; number < 22_000; number += 1_000) {
                List<WriteResult> large = writeAll(server, puts(70, "v".repeat(1 << 20)), number);
                assertThat(large.subList(0, 32))
                        .allMatch(result -> result.failure().isEmpty());
                assertThat(large.subList(32, 70)).allMatch(result -> failure(result) instanceof OverloadedException);
            }
        });
    }

    /** It is kept until the last write of the request is answered: a stack would be three times what is counted of a small write. */
    @Test
    void whatAWriteIsRefusedWithHasNoStack() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            List<RowMutation> mutations = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                mutations.add(RowMutation.of("row" + i).set("none", "q", "v").build());
            }
            assertThat(writeAll(server, mutations, 1)).allSatisfy(refused -> assertThat(failure(refused))
                    .isInstanceOf(RejectedException.class)
                    .hasNoCause()
                    .extracting(Throwable::getStackTrace, InstanceOfAssertFactories.ARRAY)
                    .isEmpty());
            RowMutation append = RowMutation.of("row")
                    .append(ColumnKey.of("none", "q"), Bytes.utf8("v"))
                    .build();
            assertThat(failure(server.simulation.await(server.begin(append, number(200), Optional.empty()), 10_000))
                            .getStackTrace())
                    .isEmpty();
        });
    }

    @SeededTest(runs = 30)
    void whatIsAcknowledgedIsInTheLogOfADeadServer(RandomGenerator random) throws Exception {
        CommitFixture server = CommitFixture.of(random.nextLong());
        List<String> acknowledged = new ArrayList<>();
        server.run(() -> {
            List<Worker> writers = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                int client = writer;
                writers.add(server.simulation.start("writer-" + writer, () -> {
                    for (int i = 1; i <= 20; i++) {
                        String row = "row-" + client + "-" + i;
                        WriteId id = new WriteId(client, i, i);
                        CompletableFuture<WriteResult> write =
                                server.begin(put(row, "v".repeat(i * 100)), id, Optional.empty());
                        try {
                            assertThat(server.simulation.await(write, 10_000).failure())
                                    .isEmpty();
                        } catch (BigtableException failed) {
                            throw new AssertionError(failed);
                        }
                        acknowledged.add(row);
                    }
                }));
            }
            server.simulation.pause(random.nextInt(40));
            List<String> before = List.copyOf(acknowledged);
            List<String> logged = server.crashAndReadLog().stream()
                    .map(entry -> entry.row().toUtf8())
                    .toList();
            assertThat(logged).containsAll(before).doesNotHaveDuplicates();
            for (Worker writer : writers) {
                writer.interrupt();
            }
        });
    }

    @Test
    void aBatchThatIsAboutToBeSentHasRoomForAnyMutation() {
        assertThat(CommitWorker.MAX_BATCH_BYTES + Limits.MUTATION_BYTES + Limits.ROW_BYTES)
                .isLessThan(LogBatch.MAX_BYTES - (1 << 20));
    }

    @Test
    void nothingIsVisibleBeforeItIsSynced() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        AtomicInteger syncs = new AtomicInteger();
        server.run(() -> {
            server.faults = (operation, path) -> {
                if (operation == FileOperation.SYNC) {
                    syncs.incrementAndGet();
                    assertThat(visible(server)).isEmpty();
                }
                return Faults.NONE;
            };
            server.write("r", "v", number(1));
            assertThat(visible(server)).containsExactly("v");
            assertThat(syncs).hasValue(1);
        });
    }

    private static List<String> visible(CommitFixture server) {
        try {
            return server.read("r");
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void sequencesBeginAboveAllThatTheTabletHas() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.write("a", "v", number(1));
            RowMutation two =
                    RowMutation.of("b").set("f", "q", "1").set("f", "r", "2").build();
            server.simulation.await(server.begin(two, number(2), Optional.empty()), 10_000);
            server.write("c", "v", number(3));
            assertThat(server.crashAndReadLog())
                    .extracting(entry -> entry.stamp().firstSequence())
                    .containsExactly(
                            CommitFixture.REDO_POINT + 1, CommitFixture.REDO_POINT + 2, CommitFixture.REDO_POINT + 4);
        });
    }

    @Test
    void aWriteThatIsSentOftenHappensOnce() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            List<CompletableFuture<WriteResult>> sent = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sent.add(server.begin(put("r", "v"), number(1), Optional.empty()));
            }
            WriteResult first = server.simulation.await(sent.get(0), 10_000);
            assertThat(first.failure()).isEmpty();
            assertThat(server.simulation.await(sent.get(1), 10_000)).isEqualTo(first);
            assertThat(server.simulation.await(sent.get(2), 10_000)).isEqualTo(first);
            assertThat(server.write("r", "v", number(1))).isEqualTo(first);
            assertThat(server.read("r")).containsExactly("v");
            assertThat(server.crashAndReadLog()).hasSize(1);
        });
    }

    @Test
    void aWriteWithAConditionIsAnsweredTheSameWhenItIsSentAgain() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            Condition absent = Condition.newest(CommitFixture.COLUMN, Optional.empty());
            WriteResult first =
                    server.simulation.await(server.begin(put("r", "v"), number(1), Optional.of(absent)), 10_000);
            WriteResult again =
                    server.simulation.await(server.begin(put("r", "v"), number(1), Optional.of(absent)), 10_000);
            assertThat(first.failure()).isEmpty();
            assertThat(again).isEqualTo(first);
            WriteResult another =
                    server.simulation.await(server.begin(put("r", "w"), number(2), Optional.of(absent)), 10_000);
            assertThat(failure(another)).isInstanceOf(RejectedException.class);
            assertThat(server.read("r")).containsExactly("v");
        });
    }

    @Test
    void aConditionOnAColumnThatIsTooLongToBeNamedIsRejected() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            for (int more = 0; more < 2; more++) {
                ColumnKey column = new ColumnKey("f", Bytes.utf8("q".repeat(Limits.NAMED_QUALIFIER_BYTES + more)));
                Optional<Condition> absent = Optional.of(Condition.newest(column, Optional.empty()));
                WriteResult result =
                        server.simulation.await(server.begin(put("r", "v"), number(1 + more), absent), 10_000);
                assertThat(result.failure().isPresent()).isEqualTo(more == 1);
            }
        });
    }

    @Test
    void withoutALeaseNobodyIsToldThatAConditionDoesNotHold() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.write("r", "here", number(1));
            Optional<Condition> elsewhere =
                    Optional.of(Condition.newest(CommitFixture.COLUMN, Optional.of(Bytes.utf8("there"))));
            server.leaseIsHeld = false;
            CompletableFuture<WriteResult> unknown = server.begin(put("r", "next"), number(2), elsewhere);
            assertThat(failure(server.simulation.await(unknown, 10_000))).isInstanceOf(UnavailableException.class);
            server.leaseIsHeld = true;
            CompletableFuture<WriteResult> known = server.begin(put("r", "next"), number(3), elsewhere);
            assertThat(failure(server.simulation.await(known, 10_000))).isInstanceOf(RejectedException.class);
        });
    }

    /** Each adds one to what it read; if a condition were settled on a row that had changed, one would be lost. */
    @SeededTest(runs = 30)
    void conditionsOnOneRowAreSettledOneAfterTheOther(RandomGenerator random) throws Exception {
        CommitFixture server = CommitFixture.of(random.nextLong());
        AtomicInteger applied = new AtomicInteger();
        server.run(() -> {
            List<Worker> writers = new ArrayList<>();
            for (int writer = 1; writer <= 5; writer++) {
                int client = writer;
                writers.add(server.simulation.start("writer-" + writer, () -> {
                    for (int i = 1; i <= 10; i++) {
                        addOne(server, new WriteId(client, i, i), applied);
                    }
                }));
            }
            for (Worker writer : writers) {
                assertThat(writer.join(60_000)).isTrue();
            }
            assertThat(applied.get()).isGreaterThanOrEqualTo(10);
            assertThat(server.read("counter")).hasSize(applied.get()).startsWith(String.valueOf(applied.get()));
        });
    }

    private static void addOne(CommitFixture server, WriteId id, AtomicInteger applied) throws InterruptedException {
        try {
            Optional<String> found = server.read("counter").stream().findFirst();
            String next = String.valueOf(found.map(Integer::parseInt).orElse(0) + 1);
            Condition unchanged = Condition.newest(CommitFixture.COLUMN, found.map(Bytes::utf8));
            WriteResult result =
                    server.simulation.await(server.begin(put("counter", next), id, Optional.of(unchanged)), 10_000);
            if (result.failure().isEmpty()) {
                applied.incrementAndGet();
            } else {
                assertThat(failure(result)).isInstanceOf(RejectedException.class);
            }
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Several clients at one counter: every sum is told once, and the last one is there. */
    @SeededTest(runs = 20)
    void incrementsOfOneCounterAreAddedOneAfterTheOther(RandomGenerator random) throws Exception {
        CommitFixture server = CommitFixture.of(random.nextLong());
        List<Long> sums = new ArrayList<>();
        server.run(() -> {
            List<Worker> writers = new ArrayList<>();
            for (int writer = 1; writer <= 5; writer++) {
                int client = writer;
                writers.add(server.simulation.start("writer-" + writer, () -> {
                    for (int i = 1; i <= 10; i++) {
                        sums.add(answer(server, addition("counter", 1), new WriteId(client, i, i)));
                    }
                }));
            }
            for (Worker writer : writers) {
                assertThat(writer.join(60_000)).isTrue();
            }
            assertThat(sums)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, 50).boxed().toList());
        });
    }

    private static RowMutation addition(String row, long amount) {
        return RowMutation.of(row).increment(CommitFixture.COLUMN, amount).build();
    }

    private static long answer(CommitFixture server, RowMutation mutation, WriteId id) throws InterruptedException {
        try {
            WriteResult result = server.simulation.await(server.begin(mutation, id, Optional.empty()), 10_000);
            assertThat(result.failure()).isEmpty();
            return result.answer();
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void anIncrementThatIsSentAgainIsAnsweredTheSameAndAddedOnce() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            assertThat(answer(server, addition("r", 5), number(1))).isEqualTo(5);
            assertThat(answer(server, addition("r", 7), number(2))).isEqualTo(12);
            assertThat(answer(server, addition("r", 5), number(1))).isEqualTo(5);
            assertThat(server.crashAndReadLog()).hasSize(2);
        });
    }

    @Test
    void anIncrementIsTheNewestVersionAlsoWhereAClientsClockWasAhead() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            long future = server.scheduler.clock().micros() + 1_000_000_000L;
            RowMutation ahead = RowMutation.of("r")
                    .set(CommitFixture.COLUMN, future, Counter.encode(1))
                    .build();
            long unused = answer(server, ahead, number(1));
            assertThat(answer(server, addition("r", 1), number(2))).isEqualTo(2);
            assertThat(answer(server, addition("r", 1), number(3))).isEqualTo(3);
        });
    }

    @Test
    void whatIsNoCounterAndWhatWouldBeNoneIsRejected() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.write("r", "text", number(1));
            WriteResult text =
                    server.simulation.await(server.begin(addition("r", 1), number(2), Optional.empty()), 10_000);
            assertThat(failure(text))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("a value of 4 bytes is no counter, which has 8");
            assertThat(answer(server, addition("s", Long.MAX_VALUE), number(3))).isEqualTo(Long.MAX_VALUE);
            WriteResult more =
                    server.simulation.await(server.begin(addition("s", 1), number(4), Optional.empty()), 10_000);
            assertThat(failure(more)).isInstanceOf(RejectedException.class).hasMessageContaining("which has 64 bits");
        });
    }

    @Test
    void aPredicateChoosesOneOfTwoMutationsAndIsAnsweredTheSameWhenItIsSentAgain() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            Condition any = new Condition.Passes(
                    Filter.ALL, true, put("r", "nothing was there").changes());
            for (int copy = 0; copy < 2; copy++) {
                assertThat(server.simulation.await(
                                server.begin(put("r", "something was there"), number(1), Optional.of(any)), 10_000))
                        .isEqualTo(WriteResult.applied(0));
            }
            assertThat(server.read("r")).containsExactly("nothing was there");
            assertThat(server.simulation.await(
                            server.begin(put("r", "something was there"), number(2), Optional.of(any)), 10_000))
                    .isEqualTo(WriteResult.applied(1));
            assertThat(server.read("r")).containsExactly("something was there", "nothing was there");
        });
    }

    /** What a reader has made of an append of one byte is the whole value; of thousands that is more than a server has. */
    @Test
    void whatIsToBeEvaluatedAgainIsNoLargerThanWhatWasAskedFor() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            assertThat(server.write("row", "v".repeat(100_000), number(1)).failure())
                    .isEmpty();
            List<CompletableFuture<WriteResult>> appends = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                RowMutation append = RowMutation.of("row")
                        .append(ColumnKey.of("f", "q"), Bytes.utf8("v"))
                        .build();
                appends.add(server.begin(append, number(2 + i), Optional.empty()));
            }
            for (CompletableFuture<WriteResult> append : appends) {
                assertThat(server.simulation.await(append, 30_000).failure()).isEmpty();
            }
            assertThat(server.read("row").get(0)).hasSize(100_010);
            assertThat(server.sentBack).isNotEmpty().allSatisfy(entry -> {
                assertThat(entry.evaluation()).isEmpty();
                assertThat(entry.bytes()).isLessThan(1_000);
            });
        });
    }

    /** Whichever is carried out first, and whether the others were evaluated before that or after. */
    @SeededTest(runs = 20)
    void copiesOfAWriteThatAreUnderWayTogetherAreAnsweredAlike(RandomGenerator random) throws Exception {
        CommitFixture server = CommitFixture.of(random.nextLong());
        server.run(() -> {
            Optional<Condition> unless = Optional.of(new Condition.Passes(Filter.ALL, false, List.of()));
            for (int i = 1; i <= 20; i++) {
                String row = "r" + i;
                List<CompletableFuture<WriteResult>> copies = new ArrayList<>();
                for (int copy = 0; copy < 4; copy++) {
                    copies.add(server.begin(put(row, "v"), number(i), unless));
                    server.simulation.pause(random.nextInt(4));
                }
                for (CompletableFuture<WriteResult> copy : copies) {
                    // 0: nothing was there. Who came later and looked again would be told 1.
                    assertThat(server.simulation.await(copy, 10_000)).isEqualTo(WriteResult.applied(0));
                }
                assertThat(server.read(row)).containsExactly("v");
            }
        });
    }

    /** What had to be forgotten says nothing of a tablet that is elsewhere, with all that is known of its writes. */
    @Test
    void ofATabletThatIsElsewhereNoWriteComesTooLate() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            HostedTablet elsewhere = server.hostAnother(Durability.SYNC);
            Outcomes withLost = new Outcomes();
            withLost.add(server.hosted.id().tableId(), OpenWrite.lost(1, 9, 0));
            server.simulation.await(server.hosted.queue().adopt(server.hosted, withLost), 10_000);
            assertThat(failure(server.write("r", "v", number(5)))).isInstanceOf(RejectedException.class);
            CompletableFuture<WriteResult> misled =
                    server.begin(elsewhere, new Write(put("r", "v"), number(5), Optional.empty()));
            assertThat(failure(server.simulation.await(misled, 10_000))).isInstanceOf(UnavailableException.class);
        });
    }

    /** Each write of another client: what is known of others' would have to go for them, and a retry would be applied again. */
    @Test
    void whoWritesUnderEverNewNamesIsOverloadedAndNobodyElsesRetryIsAppliedTwice() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            Write lost = new Write(put("r", "v"), new WriteId(-1, 1, 1), Optional.empty());
            CompletableFuture<WriteResult> applied = server.begin("10.0.0.1:4711", server.hosted, lost);
            assertThat(server.simulation.await(applied, 10_000).failure()).isEmpty();
            List<WriteResult> results = new ArrayList<>();
            for (int round = 0; round < 100; round++) {
                List<CompletableFuture<WriteResult>> sent = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    WriteId fresh = new WriteId(1_000 * round + i, 1, 1);
                    sent.add(server.begin(
                            "10.0.0.2:4711", server.hosted, new Write(put("others", "v"), fresh, Optional.empty())));
                }
                for (CompletableFuture<WriteResult> each : sent) {
                    results.add(server.simulation.await(each, 10_000));
                }
            }
            // Half of 10,000 and 65,536, and what was on its way when that was reached.
            assertThat(results.subList(0, 37_000))
                    .allMatch(result -> result.failure().isEmpty());
            assertThat(results.subList(45_000, 100_000))
                    .allMatch(result -> failure(result) instanceof OverloadedException);
            CompletableFuture<WriteResult> again = server.begin("10.0.0.1:4712", server.hosted, lost);
            assertThat(server.simulation.await(again, 10_000)).isEqualTo(applied.join());
            assertThat(server.read("r")).containsExactly("v");
            Write fresh = new Write(put("r", "w"), new WriteId(-2, 1, 1), Optional.empty());
            CompletableFuture<WriteResult> elsewhere = server.begin("10.0.0.3:4711", server.hosted, fresh);
            assertThat(server.simulation.await(elsewhere, 10_000).failure()).isEmpty();
        });
    }

    /** It was not compiled when it came, by an event loop. */
    @Test
    void aConditionWithWhatIsNoRegularExpressionIsRejected() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            Filter malformed = new Filter.Matches(
                    Filter.Part.VALUE, UncompiledRegex.of("a(b").later());
            Condition.Seen seen = new Condition.Seen(malformed, new RowDigest().digest());
            for (Condition condition :
                    List.of(new Condition.Passes(malformed, true, List.of()), new Condition.Shows(List.of(seen)))) {
                WriteResult refused =
                        server.simulation.await(server.begin(put("r", "v"), number(1), Optional.of(condition)), 10_000);
                assertThat(failure(refused))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("regular expression a(b: missing closing )");
            }
            assertThat(server.write("r", "v", number(2)).failure()).isEmpty();
        });
    }

    /** A copy that was held up on its way: the client knows by now that nothing was written. */
    @Test
    void whatWroteNothingWritesNothingWhenACopyComesLate() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            Optional<Condition> any = Optional.of(new Condition.Passes(Filter.ALL, true, List.of()));
            assertThat(server.simulation.await(server.begin(put("r", "late"), number(1), any), 10_000))
                    .isEqualTo(WriteResult.applied(0));
            server.write("r", "v", number(2));
            assertThat(server.simulation.await(server.begin(put("r", "late"), number(1), any), 10_000))
                    .isEqualTo(WriteResult.applied(0));
            assertThat(server.read("r")).containsExactly("v");
        });
    }

    /** So whoever recovers the tablet knows what was answered. */
    @Test
    void whatWroteNothingIsInTheLogAndSeenByNobody() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            Optional<Condition> any = Optional.of(new Condition.Passes(Filter.ALL, true, List.of()));
            assertThat(server.simulation.await(server.begin(put("r", "v"), number(7), any), 10_000))
                    .isEqualTo(WriteResult.applied(0));
            assertThat(server.read("r")).isEmpty();
            List<LogRecord> logged = server.crashAndReadLog();
            assertThat(logged).extracting(LogRecord::author).containsExactly(new LogRecord.Author(1, 7, 1, 0));
        });
    }

    @Test
    void aRowOfAnUnknownFamilyIsRejectedAndTheOthersOfItsBatchAreNot() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            RowMutation wrong = RowMutation.of("a").set("g", "q", "v").build();
            CompletableFuture<WriteResult> rejected = server.begin(wrong, number(1), Optional.empty());
            CompletableFuture<WriteResult> taken = server.begin(put("b", "v"), number(2), Optional.empty());
            assertThat(failure(server.simulation.await(rejected, 10_000))).isInstanceOf(RejectedException.class);
            assertThat(server.simulation.await(taken, 10_000).failure()).isEmpty();
            assertThat(server.crashAndReadLog()).hasSize(1);
        });
    }

    @Test
    void aTabletThatWasDisownedTakesNoWrites() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.write("r", "v", number(1));
            server.simulation.await(server.hosted.queue().disown(server.hosted), 10_000);
            WriteResult late = server.write("r", "w", number(2));
            assertThat(failure(late)).isInstanceOf(UnavailableException.class);
            assertThat(failure(late).outcome()).isEqualTo(Outcome.NOT_APPLIED);
            assertThat(server.hosted.unwritten()).hasSize(1);
            assertThat(server.crashAndReadLog()).hasSize(1);
        });
    }

    @Test
    void aLogThatFailsEndsTheServerAndItsWritesAreUnknown() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.faults = (operation, path) ->
                    operation == FileOperation.SYNC ? new Fault(0, Failure.AFTERWARDS) : Faults.NONE;
            WriteResult doubtful = server.write("r", "v", number(1));
            assertThat(failure(doubtful).outcome()).isEqualTo(Outcome.UNKNOWN);
            assertThat(server.halts).singleElement().asString().contains("commit log in doubt");
            assertThat(server.read("r")).isEmpty();
            WriteResult late = server.write("r", "w", number(2));
            assertThat(failure(late).outcome()).isEqualTo(Outcome.NOT_APPLIED);
            assertThat(server.crashAndReadLog()).hasSize(1);
        });
    }

    @Test
    void aTableThatAsksForAFlushIsOnDiskWithinSeconds() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.FLUSH, 1 << 30);
        List<FileOperation> operations = new ArrayList<>();
        server.run(() -> {
            server.faults = (operation, path) -> {
                operations.add(operation);
                return Faults.NONE;
            };
            assertThat(server.write("r", "v", number(1)).failure()).isEmpty();
            assertThat(operations).contains(FileOperation.FLUSH).doesNotContain(FileOperation.SYNC);
            server.simulation.pause(2_000);
            assertThat(operations).contains(FileOperation.SYNC);
            List<LogRecord> logged = server.crashAndReadLog();
            assertThat(logged).hasSize(1);
        });
    }

    @Test
    void theCommitThreadShowsThatItWorksAlsoWhenNothingHappens() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.simulation.pause(60_000);
            long idle = server.scheduler.clock().nanos() - server.hosted.queue().progressNanos();
            assertThat(idle).isBetween(0L, 1_000_000_000L);
        });
    }

    @Test
    void aClosedQueueLeavesAClosedLog() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.write("r", "v", number(1));
            server.simulation.await(server.hosted.queue().close(), 10_000);
            assertThat(failure(server.write("r", "w", number(2))).outcome()).isEqualTo(Outcome.NOT_APPLIED);
            assertThat(server.halts).isEmpty();
            assertThat(server.crashAndReadLog()).hasSize(1);
        });
    }
}
