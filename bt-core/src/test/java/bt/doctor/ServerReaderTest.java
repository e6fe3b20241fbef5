package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.coord.Paths;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.TabletListing;
import bt.protocol.ToldLists;
import bt.record.ServerFile;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.rpc.RpcLimits;
import bt.rpc.RpcNetwork;
import bt.rpc.RpcServer;
import bt.testing.MemoryLocks;
import bt.testing.Statuses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a doctor hears of servers. */
class ServerReaderTest {
    private static final int ROW_BYTES = 65_536;

    /** For a server, whose frames have more room than a part of a list takes. */
    private static final RpcLimits LIMITS = RpcLimits.DEFAULT.on(24 << 20, RpcLimits.DEFAULT.connections(), 1);

    /** Together longer than that. */
    private static final int LONG_LIST = 460;

    private final MemoryLocks locks = new MemoryLocks();
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final ToldLists told = new ToldLists(Clock.system());
    private final List<TabletId> tablets = new CopyOnWriteArrayList<>();
    private final List<Long> heard = new CopyOnWriteArrayList<>();

    /** What the server does when it has answered. */
    private Runnable then = () -> {};

    private long epoch;

    @AfterEach
    void close() {
        scheduler.close();
    }

    /** One that was refused its list was said to be silent. */
    @Test
    void aListThatIsLongerThanAFrameIsHeardWholeOverTheNetwork() throws Exception {
        List<TabletId> all = Statuses.tablets(0, LONG_LIST, ROW_BYTES);
        tablets.addAll(all);
        // Between the parts most of them go, and another comes.
        then = () -> {
            tablets.removeAll(all.subList(10, LONG_LIST));
            tablets.addAll(Statuses.tablets(LONG_LIST, LONG_LIST + 1, ROW_BYTES));
        };
        try (RpcServer server = RpcServer.start("127.0.0.1", 0, this::answer, Clock.system(), LIMITS);
                RpcNetwork network = RpcNetwork.open("ada", Clock.system(), 1)) {
            register(server.address());
            ServerReader reader = new ServerReader(locks, network, scheduler);
            List<ServerStatus> whole = new ArrayList<>();
            ServerSight sight = reader.ask(reader.roll(), (place, status) -> whole.add(status))
                    .get(0);
            assertThat(sight.hasAnswered()).as(sight.silence()).isTrue();
            assertThat(whole).hasSize(1);
            assertThat(Statuses.names(whole.get(0)).equals(all)).as("as it was").isTrue();
            assertThat(heard).hasSizeGreaterThan(1).startsWith(TabletListing.NOTHING_HEARD);

            then = () -> {};
            whole.clear();
            assertThat(reader.look(sight.id(), sight.epoch(), whole::add).filter(ServerSight::hasAnswered))
                    .isPresent();
            assertThat(whole).hasSize(1);
            assertThat(Statuses.names(whole.get(0)).equals(tablets))
                    .as("as it is")
                    .isTrue();
        }
    }

    /** Who runs it looks for other things then. */
    @Test
    void whoRefusesIsNotSaidToBeSilent() throws Exception {
        register(new Address("server", 1));
        assertThat(wordsFor(new OverloadedException("too much for one server", 10)))
                .isEqualTo("the server of epoch " + epoch
                        + " holds its lock and answers, and refuses to tell of itself: too much for one server");
        assertThat(wordsFor(new RejectedException("another schema", "upgrade it")))
                .contains(" holds its lock and answers, and refuses to tell of itself: another schema");
        assertThat(wordsFor(new UnavailableException("no answer within 5000 ms")))
                .endsWith(" holds its lock and does not answer: no answer within 5000 ms");
    }

    /** What the doctor says of a server that fails so. */
    private String wordsFor(BigtableException failure) throws Exception {
        ServerReader reader = new ServerReader(
                locks, (to, request, timeoutMillis) -> CompletableFuture.failedFuture(failure), scheduler);
        List<ServerSight> servers = reader.ask(reader.roll(), (place, status) -> {});
        ClusterFacts cluster = new ClusterFacts(
                Optional.empty(),
                Optional.empty(),
                Optional.of(new ClusterFacts.MasterSight(0, true, Optional.empty())),
                servers,
                Map.of(),
                Map.of(),
                new ClusterFacts.RightsSight(0, Optional.empty()));
        return new Membership()
                .check(cluster).stream().map(Finding::fact).findFirst().orElseThrow();
    }

    private void register(Address address) throws Exception {
        String id = address.host() + "_" + address.port() + "_n";
        epoch = locks.create(
                        Paths.server(id), AvroBytes.encode(new ServerFile(address.toString(), "n", "0.1.0", "", 0L)))
                .createdTransaction();
        locks.create(Paths.serverLock(id), Bytes.EMPTY);
    }

    private CompletableFuture<Answer> answer(Caller caller, Request request) {
        long list = ((ServerStatusRequest) ((Request.Control) request).message()).getHeardList();
        heard.add(list);
        ServerStatus status =
                Statuses.of(epoch, tablets.stream().map(Statuses::report).toList());
        if (list >= TabletListing.NOTHING_HEARD && !told.goOn(list, status)) {
            told.begin(status);
        }
        then.run();
        return CompletableFuture.completedFuture(new Answer.Control(status));
    }
}
