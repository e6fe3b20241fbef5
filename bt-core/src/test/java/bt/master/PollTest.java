package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.TabletListing;
import bt.record.Phase;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.TabletReport;
import bt.rpc.RpcLimits;
import bt.rpc.RpcNetwork;
import bt.rpc.RpcServer;
import bt.testing.Warnings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a master hears of servers whose lists of tablets are longer than an answer. */
class PollTest {
    private static final long EPOCH = 7;
    private static final int ROW_BYTES = 65_536;

    private static final Caller CALLER = new Caller("master", "127.0.0.1", Long.MAX_VALUE);

    /** For a server, whose frames have more room than a part of a list takes. */
    private static final RpcLimits LIMITS = RpcLimits.DEFAULT.on(24 << 20, RpcLimits.DEFAULT.connections(), 1);

    /** Together longer than that. */
    private static final int LONG_LIST = 460;

    static {
        // A status has records by default.
        AvroBytes.trustRecords();
    }

    private final Map<TabletId, TabletReport> tablets = new ConcurrentSkipListMap<>();
    private final TabletListing listing = new TabletListing();
    private final List<Long> heard = new ArrayList<>();
    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void aListThatIsLongerThanAFrameIsHeardWholeOverTheNetwork() throws Exception {
        serve(0, LONG_LIST);
        try (RpcServer server = RpcServer.start("127.0.0.1", 0, this::answer, Clock.system(), LIMITS);
                RpcNetwork network = RpcNetwork.open("ada", Clock.system(), 1)) {
            Member member = new Member("server", server.address(), EPOCH, "");
            Poll poll = new Poll(network, scheduler, 30_000);
            Poll.Holdings first = ask(poll, member);
            assertWhole(first);
            assertThat(first.isAnew()).isTrue();
            assertThat(first.changed()).isEqualTo(tablets.keySet());
            assertThat(first.status().getTablets().size())
                    .as("in the last part")
                    .isLessThan(LONG_LIST / 2);

            serve(LONG_LIST, LONG_LIST + 1);
            Poll.Holdings next = ask(poll, member);
            assertWhole(next);
            assertThat(next.changed()).containsExactly(id(LONG_LIST));
        }
    }

    /** METADATA says that the server serves those too that were not told: it would be asked for them, and end. */
    @Test
    void whoHasToldAPartHasNotAnsweredAndGoesOnWithTheNextLook() throws Exception {
        serve(0, 300);
        Member member = new Member("server", new Address("server", 1), EPOCH, "");
        List<Integer> lost = new ArrayList<>(List.of(1));
        Network network = (to, request, timeoutMillis) -> lost.remove((Integer) heard.size())
                ? CompletableFuture.failedFuture(new UnavailableException("no answer"))
                : answer(CALLER, request);
        Poll poll = new Poll(network, scheduler, 1_000);
        assertThat(poll.ask(List.of(member), 1).keySet()).isEmpty();
        assertThat(poll.heard().keySet()).isEmpty();
        assertThat(heard).as("what was said to be heard").hasSize(1);

        Poll.Holdings first = ask(poll, member);
        assertWhole(first);
        assertThat(heard.subList(1, heard.size()))
                .as("it goes on, and does not begin anew")
                .hasSize(1);

        // Half of them go, others come, and one of the answers is lost that say so.
        tablets.keySet().removeIf(id -> id.compareTo(id(150)) < 0);
        serve(300, 600);
        lost.add(heard.size() + 1);
        assertThat(poll.ask(List.of(member), 1).keySet()).isEmpty();
        assertThat(poll.heard().values()).as("as it was").singleElement().isSameAs(first);
        tablets.remove(id(299));
        Poll.Holdings last = ask(poll, member);
        assertWhole(last);
        assertThat(last.isAnew()).isFalse();
        Map<TabletId, TabletReport> others = new TreeMap<>(tablets);
        others.keySet().removeAll(first.tablets().keySet());
        assertThat(last.changed()).hasSize(151 + others.size()).containsAll(others.keySet());
    }

    @Test
    void whatIsAskedWithoutTabletsBringsNone() throws Exception {
        serve(0, 3);
        Member member = new Member("server", new Address("server", 1), EPOCH, "");
        Network network = (to, request, timeoutMillis) -> answer(CALLER, request);
        Map<Member, ServerStatus> answered = new Poll(network, scheduler, 1_000).askWithoutTablets(List.of(member), 1);
        assertThat(answered).containsOnlyKeys(member);
        assertThat(answered.values()).allMatch(status -> status.getTablets().isEmpty());
        assertThat(heard).containsExactly(TabletListing.NO_TABLETS);
    }

    /** A pass by what a list without tablets says would take all of the server's for lost. */
    @Test
    void whatIsAskedWithoutTabletsIsNoWordOnTablets() throws Exception {
        serve(0, 3);
        Member member = new Member("server", new Address("server", 1), EPOCH, "");
        Poll poll = new Poll((to, request, timeoutMillis) -> answer(CALLER, request), scheduler, 1_000);
        Poll.Holdings first = ask(poll, member);
        assertThat(poll.askWithoutTablets(List.of(member), 1)).containsOnlyKeys(member);
        assertThat(poll.heard().get(member)).isSameAs(first);
        serve(3, 4);
        Poll.Holdings next = ask(poll, member);
        assertWhole(next);
        assertThat(next.changed()).containsExactly(id(3));
    }

    /** Who looks after a server that is too busy looks for other things than where one is silent. */
    @Test
    void theLogSaysWhetherAServerIsSilentOrOverloadedOrRefuses() throws Exception {
        Member member = new Member("server", new Address("server", 1), EPOCH, "");
        BigtableException busy = new OverloadedException("100000 commands wait here", 100);
        BigtableException silent = new UnavailableException("no answer within 1000 ms");
        List<BigtableException> failures = new ArrayList<>(
                List.of(busy, busy, silent, silent, busy, new RejectedException("another schema", "upgrade it")));
        Network network = (to, request, timeoutMillis) -> CompletableFuture.failedFuture(failures.remove(0));
        Poll poll = new Poll(network, scheduler, 1_000);
        try (Warnings told = Warnings.of(Poll.class)) {
            while (!failures.isEmpty()) {
                assertThat(poll.ask(List.of(member), 1)).isEmpty();
            }
            assertThat(told.lines())
                    .as("each once, until it is another")
                    .containsExactly(
                            "server is overloaded, and tells nothing of itself: 100000 commands wait here",
                            "server does not answer: no answer within 1000 ms",
                            "server is overloaded, and tells nothing of itself: 100000 commands wait here",
                            "server refuses to tell of itself: another schema: upgrade it");
        }
    }

    private static Poll.Holdings ask(Poll poll, Member member) throws InterruptedException {
        return poll.ask(List.of(member), 1).entrySet().stream()
                .filter(answer -> answer.getKey().equals(member))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError("it did not answer"));
    }

    /** By names, which are told in brief. */
    private void assertWhole(Poll.Holdings heard) {
        assertThat(heard.tablets().keySet()).isEqualTo(tablets.keySet());
        assertThat(heard.tablets().equals(tablets)).isTrue();
    }

    private CompletableFuture<Answer> answer(Caller caller, Request request) {
        long list = ((ServerStatusRequest) ((Request.Control) request).message()).getHeardList();
        heard.add(list);
        RequestReport none = new RequestReport(0L, 0L, List.of());
        ServerStatus status = ServerStatus.newBuilder()
                .setServer("server")
                .setEpoch(EPOCH)
                .setLockHeld(true)
                .setPid(1)
                .setTablets(List.of())
                .setReads(none)
                .setWrites(none)
                .build();
        if (list >= TabletListing.NOTHING_HEARD) {
            listing.tell(List.copyOf(tablets.values()), list, status);
        }
        return CompletableFuture.completedFuture(new Answer.Control(status));
    }

    private void serve(int from, int to) {
        for (int i = from; i < to; i++) {
            TabletId id = id(i);
            tablets.put(id, Sights.report(id, Phase.SERVING));
        }
    }

    private static TabletId id(int number) {
        byte[] row = new byte[ROW_BYTES];
        row[0] = (byte) (number >> 8);
        row[1] = (byte) number;
        return new TabletId(4, Optional.of(Bytes.wrap(row)));
    }
}
