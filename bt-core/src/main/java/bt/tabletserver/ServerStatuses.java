package bt.tabletserver;

import bt.base.AvroBytes;
import bt.base.Clock;
import bt.base.SharedAnswer;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.TabletListing;
import bt.protocol.ToldLists;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.TabletReport;
import bt.tablet.Sizes;
import bt.tablet.TabletContext;
import bt.tabletserver.TabletSet.Failure;
import bt.tabletserver.TabletSet.Holding;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What this server says of itself, and which of its tablets it tells: a master those that have changed since it heard of them, all
 * others, by what they ask for, all in one answer, all in parts, or none.
 */
final class ServerStatuses {
    /** With every look; one tells what to look for. */
    private static final int MAX_PROBLEMS = 10;

    private final Identity self;
    private final AccessGate access;
    private final Control control;
    private final Compactor compactor;
    private final Lease lease;
    private final TabletContext context;
    private final Clock clock;
    private final MasterWord word;
    private final RequestMeters meters;
    private final TabletMemory memory;

    /** Owned by the control thread. */
    private final TabletListing listing = new TabletListing();

    /** Owned by the control thread. */
    private final ToldLists told;

    /** The status as whoever is not the master gets it: to put it together costs as much as there are tablets. */
    private final SharedAnswer<Answer> others = new SharedAnswer<>();

    /** The same for who takes it in parts: the first. */
    private final SharedAnswer<Answer> firstParts = new SharedAnswer<>();

    /** The same without tablets. */
    private final SharedAnswer<Answer> ofNone = new SharedAnswer<>();

    ServerStatuses(
            Identity self,
            AccessGate access,
            Control control,
            Compactor compactor,
            Lease lease,
            TabletContext context,
            Clock clock,
            MasterWord word,
            RequestMeters meters,
            TabletMemory memory) {
        this.self = self;
        this.access = access;
        this.control = control;
        this.compactor = compactor;
        this.lease = lease;
        this.context = context;
        this.clock = clock;
        this.word = word;
        this.meters = meters;
        this.memory = memory;
        this.told = new ToldLists(clock);
    }

    /** Any thread. */
    CompletableFuture<Answer> tell(ServerStatusRequest asked) {
        // Every master asks before it changes anything: from now on earlier ones are refused.
        boolean isMasters =
                asked.getMasterEpoch() > 0 && control.sawMaster(asked.getMasterEpoch()) == asked.getMasterEpoch();
        boolean isLook = isMasters && word.hear(asked);
        if (asked.getHeardList() == TabletListing.NO_TABLETS) {
            return status(ofNone, holdings -> List.of());
        }
        if (asked.getHeardList() < TabletListing.NOTHING_HEARD) {
            return status(others, holdings -> holdings);
        }
        // While it stops the cluster it looks at tablets alone.
        return isMasters
                ? control.look(holdings -> new Answer.Control(look(holdings, isLook, asked.getHeardList())))
                : part(asked.getHeardList());
    }

    /** For all who ask at a time the same, of what is chosen of that which is here. */
    private CompletableFuture<Answer> status(SharedAnswer<Answer> shared, UnaryOperator<Collection<Holding>> choice) {
        return shared.ask(begun -> control.look(holdings -> {
            begun.run();
            return new Answer.Control(status(choice.apply(holdings), false));
        }));
    }

    /** What whoever is not the master has to hear next behind the part of this number: where that is forgotten, the first anew. */
    private CompletableFuture<Answer> part(long heardList) {
        return heardList == TabletListing.NOTHING_HEARD
                ? firstPart()
                : control.look(unused -> nextPart(heardList))
                        .thenCompose(next ->
                                next.map(CompletableFuture::completedFuture).orElseGet(this::firstPart));
    }

    /** Costs no more than the part is long. The control thread. */
    private Optional<Answer> nextPart(long heardList) {
        ServerStatus status = status(List.of(), false);
        return told.goOn(heardList, status) ? Optional.of(new Answer.Control(status)) : Optional.empty();
    }

    private CompletableFuture<Answer> firstPart() {
        return firstParts.ask(begun -> control.look(holdings -> {
            begun.run();
            ServerStatus status = status(holdings, false);
            told.begin(status);
            return new Answer.Control(status);
        }));
    }

    /** What a master is told, who remembers what it has heard. The control thread. */
    private ServerStatus look(Collection<Holding> holdings, boolean isLook, long heardList) {
        told.forget();
        ServerStatus status = status(holdings, isLook);
        listing.tell(status.getTablets(), heardList, status);
        return status;
    }

    private ServerStatus status(Collection<Holding> holdings, boolean isLook) {
        QuotaGate.Told told = isLook
                ? word.quotas().tell(holdings)
                : new QuotaGate.Told(-1, word.quotas().report(holdings), Map.of());
        List<TabletId> leaving = control.leaving();
        return new ServerStatus(
                self.id(),
                self.epoch(),
                lease.isHeld(),
                (int) ProcessHandle.current().pid(),
                holdings.stream().map(this::report).toList(),
                CacheReports.of(context.caches()),
                control.replayedMutations(),
                context.names().settled(),
                lease.outageMillis(),
                meters.reads().report(),
                meters.writes().report(),
                told.shares(),
                told.number(),
                access.version(),
                control.logReport(),
                -1L,
                -1L,
                List.of(),
                compactor.report(),
                problems(holdings),
                TabletListing.someNames(leaving),
                false,
                leaving.size(),
                memory.isFull(),
                memory.isOverfull(),
                memory.takenBytes(),
                memory.mostBytes());
    }

    /**
     * That there is no room for more files of tablets, and for more tablets; tablets whose memory does not become files, or whose row METADATA does not change, that come or leave too, or of which it is not
     * known which writes are open; of many the first.
     */
    private List<String> problems(Collection<Holding> holdings) {
        long now = clock.nanos();
        Stream<String> ofServed = holdings.stream()
                .flatMap(holding -> holding.tablet().stream())
                .flatMap(hosted -> problem(hosted, now).stream());
        Stream<String> ofMemory = Stream.concat(new WriteRoom(memory).problem().stream(), memory.problem().stream());
        return Stream.concat(Stream.concat(ofMemory, control.problems().stream()), ofServed)
                .limit(MAX_PROBLEMS)
                .toList();
    }

    private static Optional<String> problem(HostedTablet hosted, long now) {
        String subject = hosted.tablet().subject();
        return hosted.merging()
                .flushTrouble()
                .lasting(now)
                .map(why -> subject + ": its memory cannot be written to a file: " + why)
                .or(() -> hosted.row()
                        .trouble()
                        .lasting(now)
                        .map(why -> subject + ": METADATA does not take a change of its row: " + why))
                .or(() -> hosted.unread().refusal(now).map(why -> subject + ": " + why));
    }

    /** Of one tablet. Any thread. */
    TabletReport report(Holding holding) {
        Sizes sizes = holding.tablet().map(hosted -> hosted.tablet().sizes()).orElse(new Sizes(0, 0, 0, 0));
        Optional<Failure> trouble = holding.trouble();
        return new TabletReport(
                holding.id().tableId(),
                AvroBytes.buffer(holding.id().endRow()),
                holding.phase(),
                sizes.memtableBytes() + sizes.frozenBytes(),
                sizes.fileBytes(),
                sizes.files(),
                trouble.map(Failure::why).orElse(null),
                trouble.map(Failure::passes).orElse(false),
                holding.tablet()
                        .map(hosted -> hosted.traffic().perMinute(clock.nanos()))
                        .orElse(0L),
                holding.tablet().map(hosted -> hosted.merging().asked().done()).orElse(AskedCompaction.NONE),
                holding.tablet()
                        .map(hosted -> hosted.merging().askedFlush().done())
                        .orElse(AskedCompaction.NONE),
                holding.tablet()
                        .flatMap(hosted -> hosted.merging().asked().failure())
                        .orElse(null),
                holding.tablet()
                        .flatMap(hosted -> hosted.merging().askedFlush().failure())
                        .orElse(null),
                holding.tablet().map(ServedBytes::of).orElse(0L));
    }
}
