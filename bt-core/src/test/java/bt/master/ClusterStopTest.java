package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.coord.Paths;
import bt.metadata.MetadataSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.record.Done;
import bt.record.Phase;
import bt.record.ServerFile;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.StopProcess;
import bt.record.TabletName;
import bt.record.UnloadTablet;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two servers: the first, in the order in which they are asked, has METADATA, both have a tablet of users. */
class ClusterStopTest {
    private static final long A_LEVEL_MILLIS = 60_000;
    private static final TabletId FIRST = new TabletId(7, Optional.of(Bytes.utf8("m")));
    private static final TabletId SECOND = new TabletId(7, Optional.empty());

    private final SimScheduler scheduler = new SimScheduler(1);
    private final MemoryCluster cluster = new MemoryCluster();
    private final List<TabletId> handedBack = new ArrayList<>();
    private final Server first = new Server("a", FIRST, MetadataSchema.LAST, MetadataSchema.ROOT);
    private final Server second = new Server("b", SECOND);

    ClusterStopTest() throws Exception {}

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Answers as long as it is not said to be silent. */
    private final class Server implements Service {
        private final String id;
        private final long epoch;
        private final List<TabletId> tablets;
        private int silentPolls;
        private boolean hangs;

        /** So long it takes for each tablet, one after the other. */
        private long handBackMillis;

        private long busyUntilNanos;

        /** For so many polls METADATA does not say that a tablet has left. */
        private int undecidedPolls;

        private final List<TabletId> leaving = new ArrayList<>();

        /** So many of these have room in an answer. */
        private int mostNamed = Integer.MAX_VALUE;

        private final Map<TabletId, CompletableFuture<Answer>> underWay = new HashMap<>();

        Server(String id, TabletId... tablets) throws BigtableException {
            this.id = id;
            this.tablets = new ArrayList<>(List.of(tablets));
            Address address = new Address(id, 1);
            ServerFile file = new ServerFile(address.toString(), "n", "v", "", 0L);
            epoch = cluster.locks
                    .create(Paths.server(id), AvroBytes.encode(file))
                    .createdTransaction();
            cluster.locks.create(Paths.serverLock(id), Bytes.EMPTY);
            cluster.listen(address, this);
        }

        @Override
        public CompletableFuture<Answer> handle(Caller caller, Request request) {
            SpecificRecord message = ((Request.Control) request).message();
            if (hangs) {
                return new CompletableFuture<>();
            }
            if (message instanceof ServerStatusRequest) {
                return silentPolls-- > 0
                        ? CompletableFuture.failedFuture(new UnavailableException(id + " does not answer"))
                        : CompletableFuture.completedFuture(new Answer.Control(status()));
            }
            if (message instanceof UnloadTablet unload) {
                return handBack(new TabletId(unload.getTableId(), AvroBytes.optionalBytes(unload.getEndRow())));
            } else if (message instanceof StopProcess) {
                cluster.locks.delete(Paths.serverLock(id));
                cluster.locks.delete(Paths.server(id));
            } else {
                throw new AssertionError(message);
            }
            return CompletableFuture.completedFuture(new Answer.Control(new Done()));
        }

        /** Whoever asks again while it is at it joins. */
        private CompletableFuture<Answer> handBack(TabletId tablet) {
            return underWay.computeIfAbsent(tablet, begun -> {
                CompletableFuture<Answer> done = new CompletableFuture<>();
                long now = scheduler.clock().nanos();
                busyUntilNanos = Math.max(now, busyUntilNanos) + handBackMillis * 1_000_000;
                Runnable leaves = () -> leave(tablet, done);
                if (handBackMillis == 0) {
                    leaves.run();
                } else {
                    scheduler.after((busyUntilNanos - now) / 1_000_000, leaves);
                }
                return done;
            });
        }

        private void leave(TabletId tablet, CompletableFuture<Answer> done) {
            tablets.remove(tablet);
            if (undecidedPolls > 0) {
                leaving.add(tablet);
                done.completeExceptionally(new UnavailableException("no answer"));
            } else {
                handedBack.add(tablet);
                done.complete(new Answer.Control(new Done()));
            }
        }

        private void decide() {
            if (undecidedPolls > 0 && --undecidedPolls == 0) {
                handedBack.addAll(leaving);
                leaving.clear();
            }
        }

        private ServerStatus status() {
            decide();
            return ServerStatus.newBuilder()
                    .setServer(id)
                    .setEpoch(epoch)
                    .setLockHeld(true)
                    .setPid(1)
                    .setTablets(tablets.stream()
                            .map(tablet -> Sights.report(tablet, Phase.SERVING))
                            .toList())
                    .setLeavingInAll(leaving.size())
                    .setLeaving(leaving.stream()
                            .limit(mostNamed)
                            .map(tablet -> new TabletName(tablet.tableId(), AvroBytes.buffer(tablet.endRow())))
                            .toList())
                    .build();
        }
    }

    /** In milliseconds of virtual time. */
    private long stop() throws Exception {
        long begun = scheduler.clock().nanos();
        long[] ended = new long[1];
        scheduler.run(Duration.ofMinutes(30), () -> {
            TabletOrders orders = new TabletOrders(cluster, 5_000, 1);
            StopLooks.Ports ports = new StopLooks.Ports(
                    new Membership(cluster.locks, scheduler, 6_000, 0, met -> {}),
                    new Poll(cluster, scheduler, 5_000),
                    1,
                    scheduler.clock());
            Sight before = new Sight(List.of(), List.of(), Map.of(), Set.of());
            new ClusterStop(cluster, scheduler, MasterConfig.DEFAULT, orders)
                    .run(new StopLooks(ports, before, (stage, seen) -> {}));
            ended[0] = scheduler.clock().nanos();
        });
        return (ended[0] - begun) / 1_000_000;
    }

    private boolean isGone(Server server) throws BigtableException {
        return cluster.locks.read(Paths.server(server.id)).isEmpty();
    }

    @Test
    void theLevelAboveStaysUntilWhoWasSilentHasHandedBackToo() throws Exception {
        second.silentPolls = 3;
        long unused = stop();
        assertThat(handedBack).containsExactly(FIRST, SECOND, MetadataSchema.LAST, MetadataSchema.ROOT);
        assertThat(isGone(first) && isGone(second)).isTrue();
    }

    /** What it has is not known before: by then the level is nearly empty. */
    @Test
    void whoAnswersLateIsWaitedForAsLongAsItsTabletsLeaveThoughFewerWereLeftBefore() throws Exception {
        second.silentPolls = 30;
        second.handBackMillis = 20_000;
        for (String end : List.of("n", "o", "p", "q", "r")) {
            second.tablets.add(new TabletId(7, Optional.of(Bytes.utf8(end))));
        }
        assertThat(stop()).isGreaterThan(2 * A_LEVEL_MILLIS);
        assertThat(handedBack).hasSize(9).endsWith(MetadataSchema.LAST, MetadataSchema.ROOT);
        assertThat(isGone(first) && isGone(second)).isTrue();
    }

    /** Its server is to write that into METADATA. */
    @Test
    void theLevelAboveStaysWhileMetadataDoesNotSayThatATabletHasLeft() throws Exception {
        second.undecidedPolls = 30;
        long unused = stop();
        assertThat(handedBack).containsExactly(FIRST, SECOND, MetadataSchema.LAST, MetadataSchema.ROOT);
        assertThat(isGone(first) && isGone(second)).isTrue();
    }

    /** Or of many the last, when those are METADATA's that are named. */
    @Test
    void theLevelAboveStaysForThoseTooThatAServerHasNoRoomToName() throws Exception {
        second.undecidedPolls = 30;
        second.mostNamed = 0;
        long unused = stop();
        assertThat(handedBack).containsExactly(FIRST, SECOND, MetadataSchema.LAST, MetadataSchema.ROOT);
        assertThat(isGone(first) && isGone(second)).isTrue();
    }

    @Test
    void oneThatMetadataNeverSaysToHaveLeftIsLeftToRecovery() throws Exception {
        second.undecidedPolls = Integer.MAX_VALUE;
        assertThat(stop()).isBetween(A_LEVEL_MILLIS, 2 * A_LEVEL_MILLIS);
        assertThat(handedBack).containsExactly(FIRST, MetadataSchema.LAST, MetadataSchema.ROOT);
        assertThat(isGone(first) && isGone(second)).isTrue();
    }

    @Test
    void aServerThatHangsKeepsNoOtherFromHearingThatItIsToEnd() throws Exception {
        first.hangs = true;
        // One level waits for it, and so do servers for it to end.
        assertThat(stop()).isBetween(2 * A_LEVEL_MILLIS, 2 * A_LEVEL_MILLIS + 40_000);
        assertThat(handedBack).containsExactly(SECOND);
        assertThat(isGone(second)).isTrue();
        assertThat(isGone(first)).isFalse();
    }
}
