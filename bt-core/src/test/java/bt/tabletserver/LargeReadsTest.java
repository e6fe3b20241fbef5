package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.Bytes;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.rpc.RpcNetwork;
import bt.simulation.OwnJvm;
import bt.sstable.ReadWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What reads of large values hold, over real sockets. */
class LargeReadsTest {
    private static final Bytes LARGE = Bytes.utf8("zlarge");
    private static final int VALUE_BYTES = 2 << 20;

    @TempDir
    Path directory;

    /** Each of the 16 would take 64 MB and more, and together twice the heap. */
    @Test
    void asManyAsThereAreReadThreadsLeaveASmallHeapWhole() throws Exception {
        Process server = OwnJvm.start(
                directory,
                List.of("-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-cp", OwnJvm.classPath()),
                LargeReads.class,
                List.of());
        try {
            assertThat(server.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(Files.readAllLines(directory.resolve(OwnJvm.SAID))).contains(LargeReads.DONE);
            assertThat(server.exitValue()).isZero();
        } finally {
            server.destroyForcibly();
        }
    }

    /** And no thread: those with others' small reads. */
    @Test
    void whatFindsNoRoomWaitsUntilThereIsSome() throws Exception {
        ReadRoom room = new ReadRoom(8 << 20);
        ServedTablet served = new ServedTablet(600_000, ServedTablet.READERS, room);
        try (RpcNetwork client = served.client()) {
            byte[] value = new byte[VALUE_BYTES];
            new Random(2).nextBytes(value);
            served.write(LARGE, Bytes.wrap(value));
            served.flush();
            ReadRoom.Hold all = room.hold();
            all.take(8 << 20);
            long before = served.diskReads.get();
            List<CompletableFuture<Answer>> waiting = List.of(large(served, client), large(served, client));
            served.awaitIdle();
            for (int row = 0; row < 10; row++) {
                Answer.Page small =
                        (Answer.Page) served.send(client, ServedTablet.get(row)).get(30, TimeUnit.SECONDS);
                assertThat(small.cells()).hasSize(1);
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            assertThat(room.bytes()).isEqualTo(8 << 20);
            all.end();
            for (CompletableFuture<Answer> each : waiting) {
                Answer.Page page = (Answer.Page) each.get(30, TimeUnit.SECONDS);
                assertThat(page.cells().get(0).value()).isEqualTo(Bytes.wrap(value));
            }
            assertThat(served.diskReads.get()).isGreaterThan(before);
            await().untilAsserted(() -> assertThat(room.bytes()).isZero());
        } finally {
            served.close();
        }
    }

    /** All others of the server would lack the room that it has while it stood behind those of its host. */
    @Test
    void whoHasBeenGivenRoomIsTheNextOfItsHost() throws Exception {
        ReadRoom room = new ReadRoom(8 << 20);
        ServedTablet served = new ServedTablet(600_000, ServedTablet.READERS, room);
        CountDownLatch isAnswered = new CountDownLatch(1);
        try (RpcNetwork client = served.client()) {
            served.write(LARGE, Bytes.wrap(new byte[VALUE_BYTES]));
            served.flush();
            ReadRoom.Hold all = room.hold();
            all.take(8 << 20);
            CompletableFuture<Answer> waiting = large(served, client);
            // It has come to the read threads when what was sent behind it is answered.
            served.send(client, ServedTablet.get(0)).get(30, TimeUnit.SECONDS);
            served.awaitIdle();
            CountDownLatch gate = new CountDownLatch(1);
            for (int i = 0; i < ServedTablet.READERS; i++) {
                served.execute(() -> ServedTablet.await(gate));
            }
            for (int i = 0; i < 100; i++) {
                served.execute(() -> ServedTablet.await(isAnswered));
            }
            all.end();
            gate.countDown();
            Answer.Page page = (Answer.Page) waiting.get(20, TimeUnit.SECONDS);
            assertThat(page.cells()).hasSize(1);
        } finally {
            isAnswered.countDown();
            served.close();
        }
    }

    /** A write that adds to many columns has the values of all of them, and as much that it makes of them. */
    @Test
    void anEvaluationHasRoomForAllThatItAddsTo() throws Exception {
        ServedTablet served = new ServedTablet();
        ReadRoom room = new ReadRoom();
        ReadPool pool = new ReadPool(served.scheduler, "test", 1);
        try {
            RowMutation.Builder values = RowMutation.of(LARGE);
            RowMutation.Builder additions = RowMutation.of(LARGE);
            for (int i = 0; i < 8; i++) {
                values.set(column(i), Change.SERVER_TIME, Bytes.wrap(new byte[VALUE_BYTES]));
                additions.append(column(i), Bytes.utf8("more"));
            }
            served.write(values.build());
            served.flush();
            Caller caller = new Caller("test", "test", Long.MAX_VALUE);
            ReadWork.ofThread().begin(new AwaitedRead(caller, served.scheduler.clock(), room.hold(), pool), 1_000);
            Evaluation evaluation =
                    served.evaluate(new Write(additions.build(), new WriteId(9, 1, 1), Optional.empty()));
            assertThat(evaluation.decision()).isNotInstanceOf(Evaluation.Refuse.class);
            assertThat(room.bytes()).isBetween(15L * VALUE_BYTES, 20L * VALUE_BYTES);
        } finally {
            ReadWork.ofThread().end();
            pool.close();
            served.close();
        }
    }

    private static ColumnKey column(int number) {
        return ColumnKey.of(CommitFixture.COLUMN.family(), "q" + number);
    }

    private static CompletableFuture<Answer> large(ServedTablet served, RpcNetwork client) {
        return served.send(client, ServedTablet.scan(RowRange.row(LARGE)));
    }
}
