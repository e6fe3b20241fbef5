package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.RowMutation;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.WriteResult;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The failure of a server ends with what there is to do, said once, whatever door it comes through. */
class WhatToDoTest {
    private static final Bytes ROW = Bytes.utf8("r");
    private static final RowMutation WRITE =
            RowMutation.of(ROW).set("anchor", "q", "value").build();

    static Stream<Arguments> everyKindSaysOnceWhatToDo() {
        return Stream.of(
                arguments(
                        new CorruptionException("table webtable, rows up to m: file 7 at 0"),
                        "trying again does not help: have whoever runs the cluster see what is damaged, and mend it"),
                arguments(
                        new UnavailableException("not here"),
                        "try again later; if it stays so, see which servers live and what is damaged"),
                arguments(new OverloadedException("full", 10), "try again later, with less at a time"),
                arguments(new RejectedException("no family nosuch", "add it"), "add it"));
    }

    @ParameterizedTest
    @MethodSource
    void everyKindSaysOnceWhatToDo(BigtableException failure, String advice) throws Exception {
        SimScheduler scheduler = new SimScheduler(1);
        try (MemoryCluster cluster = new MemoryCluster()) {
            cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
            cluster.listen(
                    MemoryCluster.address(3),
                    (caller, request) -> request instanceof Request.Mutate mutate
                            ? CompletableFuture.completedFuture(new Answer.Mutated(mutate.writes().stream()
                                    .map(write -> WriteResult.failed(failure))
                                    .toList()))
                            : CompletableFuture.failedFuture(failure));
            scheduler.run(Duration.ofHours(1), () -> {
                try (Bigtable client = Bigtable.over(cluster, cluster.locks, scheduler, scheduler.random("client"))) {
                    Table table = client.table("webtable");
                    AsyncTable async = client.asyncTable("webtable");
                    ends(() -> table.read(ROW), advice);
                    ends(() -> table.apply(WRITE), advice);
                    ends(() -> table.transact(ROW, tx -> tx.read()), advice);
                    ends(() -> table.scan(Scan.all()).next(), advice);
                    ends(() -> rethrow(table.applyAll(List.of(WRITE)).get(0)), advice);
                    ends(() -> await(scheduler, async.read(ROW)), advice);
                    ends(() -> await(scheduler, async.apply(WRITE)), advice);
                    ends(() -> await(scheduler, async.scan(Scan.all()).next()), advice);
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
            });
        }
    }

    private static void rethrow(Written written) throws BigtableException {
        throw written.failure().orElseThrow();
    }

    private static <T> void await(SimScheduler scheduler, CompletableFuture<T> call) throws Exception {
        T unused = scheduler.await(call, 600_000);
    }

    private static void ends(ThrowingCallable call, String advice) {
        assertThatThrownBy(call)
                .isInstanceOf(BigtableException.class)
                .isNotInstanceOf(ExecutionException.class)
                .hasMessageEndingWith(": " + advice)
                .satisfies(
                        failed -> assertThat(String.valueOf(failed.getMessage()).split(advice.substring(0, 6), -1))
                                .as(failed.getMessage())
                                .hasSize(2));
    }
}
