package bt.tabletserver;

import static bt.tabletserver.CommitFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.model.Filter;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.protocol.Condition;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tabletserver.TabletSet.Holding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Tables of one empty tablet each, on a server that has room for a file of one of them. */
class WriteRoomTest {
    private static final int TABLES = 15;
    private static final long EMPTY_BYTES = 3_400;

    /** With one family. */
    private static final long FILE_BYTES = 5_550;

    private static final long MOST_BYTES = 60_000;

    private final CommitFixture server = CommitFixture.of(1);
    private final TabletSet tablets = new TabletSet();
    private final TabletMemory memory = new TabletMemory(tablets, server.scheduler.clock(), MOST_BYTES, 1);
    private final WriteRoom room = new WriteRoom(memory);
    private final List<HostedTablet> hosted = new ArrayList<>();
    private long writes;

    WriteRoomTest() throws BigtableException {
        server.room = Optional.of(room);
        hosted.add(server.hosted);
        for (int i = 1; i < TABLES; i++) {
            hosted.add(server.hostAnother(i, Durability.SYNC));
        }
        hosted.forEach(tablet -> tablets.put(Holding.serving(tablet)));
    }

    private void run(CommitFixture.Body body) {
        server.run(() -> {
            for (HostedTablet tablet : hosted.subList(1, TABLES)) {
                server.simulation.await(server.hosted.queue().adopt(tablet, new Outcomes()), 10_000);
            }
            memory.look();
            body.run();
        });
    }

    private CompletableFuture<WriteResult> begin(HostedTablet tablet) {
        writes++;
        return server.begin(
                tablet, new Write(put("r" + writes, "v"), new WriteId(1, writes, writes), Optional.empty()));
    }

    private Optional<BigtableException> write(HostedTablet tablet) throws BigtableException, InterruptedException {
        return server.simulation.await(begin(tablet), 10_000).failure();
    }

    private Optional<BigtableException> write(HostedTablet tablet, Write write)
            throws BigtableException, InterruptedException {
        return server.simulation.await(server.begin(tablet, write), 10_000).failure();
    }

    @Test
    void aWriteThatGivesATabletAFileIsRefusedWhereThereIsNoRoomForItAndNoOther() {
        run(() -> {
            assertThat(memory.served().bytes()).isEqualTo(TABLES * EMPTY_BYTES);
            assertThat(room.problem()).isEmpty();
            assertThat(write(hosted.get(0))).isEmpty();
            assertThat(memory.served().bytes()).isEqualTo(TABLES * EMPTY_BYTES + FILE_BYTES);

            assertThat(write(hosted.get(1)))
                    .get()
                    .asInstanceOf(InstanceOfAssertFactories.type(OverloadedException.class))
                    .satisfies(refused -> {
                        assertThat(refused)
                                .hasMessage(
                                        "table t row r2: its tablet would get another file, and the table takes 3400"
                                                + " bytes of the server's memory: 15 tablets and 0 that are being loaded take 56550"
                                                + " of 60000 bytes: start another server, drop tables, or give servers a larger"
                                                + " heap or a larger tabletserver.tablets.bytes");
                        assertThat(refused.retryAfterMillis()).isEqualTo(30_000);
                    });
            assertThat(write(hosted.get(0)))
                    .as("of what its memtable has already")
                    .isEmpty();
            server.simulation.pause(1_000);
            assertThat(room.problem())
                    .get()
                    .asString()
                    .startsWith(
                            "it refuses writes that give tablets files of more locality groups, or more families, of tables that take 3450"
                                    + " bytes or more, most of all table t with 8950 bytes: 15 tablets and 0 that are being loaded take 56550 of");
        });
    }

    /** Thousands may wait for the log, and each may be another file. */
    @Test
    void writesThatWaitForTheLogCountAndThoseThatAreRefusedDoNot() {
        run(() -> {
            List<CompletableFuture<WriteResult>> begun =
                    hosted.stream().map(this::begin).toList();
            List<HostedTablet> taken = new ArrayList<>();
            for (int i = 0; i < TABLES; i++) {
                if (server.simulation.await(begun.get(i), 10_000).failure().isEmpty()) {
                    taken.add(hosted.get(i));
                }
            }
            assertThat(taken).containsExactly(hosted.get(0));
            assertThat(memory.served().bytes()).isEqualTo(TABLES * EMPTY_BYTES + FILE_BYTES);
        });
    }

    /** Tables are dropped, and moved to other servers. */
    @Test
    void writesAreTakenAgainOnceOtherTabletsHaveGone() {
        run(() -> {
            assertThat(write(hosted.get(0))).isEmpty();
            assertThat(write(hosted.get(1))).isPresent();
            tablets.remove(hosted.get(TABLES - 1).id());
            tablets.remove(hosted.get(TABLES - 2).id());
            assertThat(write(hosted.get(1))).as("counted a moment ago").isPresent();
            server.simulation.pause(1_000);
            assertThat(write(hosted.get(1))).isEmpty();
            assertThat(memory.served().bytes()).isEqualTo((TABLES - 2) * EMPTY_BYTES + 2 * FILE_BYTES);
        });
    }

    @Test
    void whatIsForeseenOfATabletIsForgottenWithIt() {
        run(() -> {
            assertThat(write(hosted.get(0))).isEmpty();
            assertThat(memory.served().bytesOf(hosted.get(0).id().tableId())).isEqualTo(EMPTY_BYTES + FILE_BYTES);
            tablets.remove(hosted.get(0).id());
            server.simulation.pause(1_000);
            memory.look();
            assertThat(memory.served().bytesOf(hosted.get(0).id().tableId())).isZero();
            assertThat(memory.served().bytes()).isEqualTo((TABLES - 1) * EMPTY_BYTES);
        });
    }

    @Test
    void whatAMemtableHasCountsOnceWhenItIsAFile() {
        run(() -> {
            assertThat(write(hosted.get(0))).isEmpty();
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            server.simulation.pause(1_000);
            memory.look();
            assertThat(memory.served().bytes()).as("frozen").isEqualTo(TABLES * EMPTY_BYTES + FILE_BYTES);
            server.host.writeFrozen(server.hosted);
            server.simulation.pause(1_000);
            memory.look();
            assertThat(memory.served().bytes())
                    .as("METADATA was not told of the file, which has its properties")
                    .isBetween(TABLES * EMPTY_BYTES + 1, TABLES * EMPTY_BYTES + 500);
        });
    }

    /** Files of one group are merged. */
    @Test
    void whatATabletHasFilesOfIsWrittenWithoutEnd() {
        run(() -> {
            assertThat(write(hosted.get(0))).isEmpty();
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            server.host.writeFrozen(server.hosted);
            server.simulation.pause(1_000);
            assertThat(write(hosted.get(1))).isEmpty();
            assertThat(write(hosted.get(2))).isPresent();
            long taken = memory.takenBytes();
            assertThat(write(hosted.get(0))).isEmpty();
            assertThat(memory.takenBytes()).isEqualTo(taken);
        });
    }

    @Test
    void thoseOfMetadataAreNeverRefused() {
        run(() -> {
            HostedTablet metadata = server.host.host(
                    new TabletId(TableSchema.METADATA_ID, Optional.empty()),
                    Optional.empty(),
                    Durability.SYNC,
                    server.hosted.queue());
            server.simulation.await(server.hosted.queue().adopt(metadata, new Outcomes()), 10_000);
            assertThat(write(hosted.get(0))).isEmpty();
            tablets.put(Holding.serving(metadata));
            server.simulation.pause(1_000);
            memory.look();
            assertThat(memory.leftBytes())
                    .as("less is left than any table takes with a file")
                    .isLessThan(FILE_BYTES);
            assertThat(write(metadata)).isEmpty();
        });
    }

    /** Which of two mutations is chosen is known when the row has been read. */
    @Test
    void ofAWriteOnAConditionItIsDecidedByWhatItWrites() {
        run(() -> {
            assertThat(write(hosted.get(0))).isEmpty();
            assertThat(write(hosted.get(1), onCondition(true))).get().isInstanceOf(OverloadedException.class);
            assertThat(write(hosted.get(1), onCondition(false)))
                    .as("it changes nothing")
                    .isEmpty();
            assertThat(write(hosted.get(0), onCondition(true))).isEmpty();
        });
    }

    /** Of a row that is not there. */
    private Write onCondition(boolean holds) {
        writes++;
        return new Write(
                put("c" + writes, "v"),
                new WriteId(1, writes, writes),
                Optional.of(new Condition.Passes(Filter.ALL, !holds, List.of())));
    }
}
