package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.Resolver;
import bt.tablet.Tablet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a commit queue takes when its memtables hold more than their share. */
class MemtableShareTest {
    private static final long SHARE_BYTES = 1_000;
    private static final int VALUE_BYTES = 1 << 18;

    /** A memtable takes some kilobytes more than the one value in it. */
    private static final int LARGE_BYTES = 100_000;

    @Test
    void fullMemtablesAreWrittenAndMeanwhileRefuse() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.SYNC, SHARE_BYTES);
        server.run(() -> {
            assertThat(server.write("r", "v".repeat(1_000), number(1)).failure())
                    .isEmpty();
            server.simulation.pause(10);
            assertThat(server.compactions).contains(server.hosted);
            assertThat(failure(server.write("r", "w", number(2)))).isInstanceOf(OverloadedException.class);
        });
    }

    @Test
    void theNextLargestMemtableIsNotWrittenAsLongAsTheLargestIsOnItsWay() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.SYNC, 64 << 20);
        HostedTablet small = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(small, new Outcomes()), 10_000);
            fill(server, small, 20 << 20);
            fill(server, server.hosted, 29 << 20);
            assertThat(server.compactions).contains(server.hosted).doesNotContain(small);
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            server.compactions.clear();
            fill(server, small, VALUE_BYTES);
            assertThat(server.compactions).isEmpty();

            // But no memory is left to it for ever: it may not get there.
            fill(server, small, 10 << 20);
            assertThat(server.compactions).contains(small);
        });
    }

    @Test
    void memtablesBecomeFilesTwiceAsFastAsTheyFillAndAtOnceWhereTheyAreNearlyFull() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.SYNC, 64 << 20);
        server.run(() -> {
            CommitQueue queue = server.hosted.queue();
            assertThat(queue.flushBytesPerSecond()).isEqualTo(16 << 20);
            // 256 KB a millisecond.
            fill(server, server.hosted, 20 << 20);
            server.simulation.pause(1_500);
            assertThat(queue.flushBytesPerSecond()).isBetween(20L << 20, 60L << 20);
            server.simulation.pause(10_000);
            assertThat(queue.flushBytesPerSecond()).isEqualTo(16 << 20);
            fill(server, server.hosted, 40 << 20);
            assertThat(queue.flushBytesPerSecond()).isEqualTo(Long.MAX_VALUE);
        });
    }

    private long number;

    private void fill(CommitFixture server, HostedTablet tablet, int bytes)
            throws BigtableException, InterruptedException {
        for (int i = 0; i < bytes; i += VALUE_BYTES) {
            Write write =
                    new Write(CommitFixture.put("r" + i, "v".repeat(VALUE_BYTES)), number(++number), Optional.empty());
            assertThat(server.simulation
                            .await(server.begin(tablet, write), 30_000)
                            .failure())
                    .isEmpty();
            server.simulation.pause(1);
        }
    }

    /** METADATA may not say for long that it has left. */
    @Test
    void whatATabletHoldsOnItsWayOutIsOfTheShare() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.SYNC, LARGE_BYTES);
        HostedTablet other = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            CommitQueue queue = server.hosted.queue();
            server.simulation.await(queue.adopt(other, new Outcomes()), 10_000);
            assertThat(server.write("r", "v".repeat(LARGE_BYTES), number(1)).failure())
                    .isEmpty();
            server.simulation.await(queue.disown(server.hosted), 10_000);
            server.hosted.tablet().close();
            server.simulation.pause(1_000);
            assertThat(failure(write(server, other, number(2)))).isInstanceOf(OverloadedException.class);
            assertThat(queue.hasRoom()).isFalse();

            server.hosted.unwritten().clear();
            server.simulation.pause(1_000);
            assertThat(write(server, other, number(3)).failure()).isEmpty();
            assertThat(queue.hasRoom()).isTrue();
        });
    }

    @Test
    void whatATabletHoldsOnItsWayInIsOfTheShareOnce() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.SYNC, LARGE_BYTES * 3L / 2);
        HostedTablet loaded = server.hostAnother(1, Durability.SYNC);
        HostedTablet failed = server.hostAnother(2, Durability.SYNC);
        server.run(() -> {
            CommitQueue queue = server.hosted.queue();
            assertThat(queue.hasRoom()).isTrue();
            // Both begin before either has much.
            queue.comes(loaded.tablet());
            queue.comes(failed.tablet());
            replay(loaded, LARGE_BYTES);
            replay(failed, LARGE_BYTES);
            assertThat(queue.hasRoom())
                    .as("before the commit thread has looked")
                    .isFalse();
            server.simulation.pause(1_000);
            assertThat(failure(server.write("r", "v", number(1)))).isInstanceOf(OverloadedException.class);

            failed.tablet().close();
            server.simulation.await(queue.adopt(loaded, new Outcomes()), 10_000);
            server.simulation.pause(1_000);
            assertThat(server.write("r", "v", number(2)).failure()).isEmpty();
            assertThat(queue.hasRoom()).isTrue();
        });
    }

    /** While METADATA is silent nothing that was loaded comes to be served, and the next load would follow. */
    @Test
    void loadsLeaveHalfOfTheShareToWritesHoweverLongNoneComesToBeServed() throws Exception {
        int most = 10;
        CommitFixture server = new CommitFixture(1, Durability.SYNC, most * (long) LARGE_BYTES);
        List<HostedTablet> tablets = new ArrayList<>();
        for (int i = 1; i <= most; i++) {
            tablets.add(server.hostAnother(i, Durability.SYNC));
        }
        server.run(() -> {
            CommitQueue queue = server.hosted.queue();
            List<HostedTablet> loaded = new ArrayList<>();
            for (HostedTablet tablet : tablets) {
                if (queue.hasRoom()) {
                    queue.comes(tablet.tablet());
                    replay(tablet, LARGE_BYTES);
                    loaded.add(tablet);
                }
            }
            assertThat(loaded).hasSizeBetween(most / 2 - 1, most / 2);
            for (int i = 1; i < most / 2; i++) {
                server.simulation.pause(1_000);
                assertThat(server.write("r" + i, "v".repeat(LARGE_BYTES), number(i))
                                .failure())
                        .isEmpty();
            }

            // METADATA answers.
            for (HostedTablet tablet : loaded) {
                server.simulation.await(queue.adopt(tablet, new Outcomes()), 10_000);
            }
            assertThat(queue.hasRoom()).isTrue();
        });
    }

    /** What cannot become a file now is not waited for: that may be long. */
    @Test
    void thereIsNoRoomForALoadWhileHalfOfTheShareBecomesFiles() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.SYNC, LARGE_BYTES * 3L / 2);
        server.run(() -> {
            CommitQueue queue = server.hosted.queue();
            assertThat(server.write("r", "v".repeat(LARGE_BYTES), number(1)).failure())
                    .isEmpty();
            server.simulation.pause(1_000);
            assertThat(queue.hasRoom()).isTrue();
            server.simulation.await(queue.freeze(server.hosted), 10_000);
            server.simulation.pause(1_000);
            assertThat(queue.hasRoom()).isFalse();

            server.hosted.merging().flushTrouble().failed("its directory is full", 0);
            server.simulation.pause(1_000);
            assertThat(queue.hasRoom()).isTrue();
        });
    }

    /** As the thread of a load does, which passes the tablet on. */
    private static void replay(HostedTablet tablet, int bytes) throws BigtableException {
        Tablet replayed = tablet.tablet();
        replayed.apply(Resolver.resolve(
                CommitFixture.put("r", "v".repeat(bytes)), replayed.schema(), CommitFixture.REDO_POINT + 1, 1));
        replayed.passOn();
    }

    /** That a memtable of METADATA is in a file is written there, behind the same queue when one server has both. */
    @Test
    void theRootTabletTakesWritesAllTheSame() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.SYNC, SHARE_BYTES);
        HostedTablet metadata = server.host.host(TableSchema.METADATA_ID, Durability.SYNC, server.hosted.queue());
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(metadata, new Outcomes()), 10_000);
            TabletId user = new TabletId(5, Optional.empty());
            assertThat(write(server, metadata, user, number(1)).failure()).isEmpty();
            server.simulation.pause(10);
            assertThat(failure(write(server, metadata, user, number(2)))).isInstanceOf(OverloadedException.class);
            assertThat(write(server, metadata, MetadataSchema.LAST, number(3)).failure())
                    .isEmpty();
        });
    }

    private static WriteResult write(CommitFixture server, HostedTablet tablet, WriteId id)
            throws BigtableException, InterruptedException {
        return server.simulation.await(
                server.begin(tablet, new Write(CommitFixture.put("r", "v"), id, Optional.empty())), 30_000);
    }

    private static WriteResult write(CommitFixture server, HostedTablet metadata, TabletId of, WriteId id)
            throws BigtableException, InterruptedException {
        RowMutation mutation = RowMutation.of(MetadataKeys.of(of))
                .set(CommitFixture.COLUMN, Bytes.utf8("v"))
                .build();
        return server.simulation.await(server.begin(metadata, new Write(mutation, id, Optional.empty())), 30_000);
    }

    private static WriteId number(long number) {
        return new WriteId(1, number, 1);
    }

    private static BigtableException failure(WriteResult result) {
        return result.failure().orElseThrow();
    }
}
