package bt.log;

import static bt.base.Check.checkState;
import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.fs.NoRoomException;
import bt.log.LogWriter.Written;
import bt.log.SegmentBegin.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit log of one stream: two writers on two files (section 6 of the paper), of which one is active and the other
 * waits with its segment made ahead. The log goes over to the other when the segment is full, and when the active one is
 * late, has failed, or is left with one datanode: then the same batch goes there, behind what the segment got and did not
 * sync, and the segment is fenced and left. At most one batch is on its way, and nothing else is logged before it is
 * certain where it is. One owner thread.
 */
public final class CommitLog {
    private static final Logger logger = LoggerFactory.getLogger(CommitLog.class);

    private static final int MAX_UNSYNCED_CLAIMS = 100;

    /** Between two looks, while a batch waits, at what the file system says. */
    private static final long LOOK_MILLIS = 1_000;

    /** A batch that is late already waits for another writer as much shorter: what holds the first up may hold up more. */
    private static final int LATE_ALREADY = 4;

    /** A batch that so many writers have failed at or were late for is not the fault of a datanode. */
    private static final int MAX_SEGMENTS_OF_A_BATCH = 4;

    private final LogOptions options;
    private final Scheduler scheduler;
    private final SegmentMaker maker;
    private final String name;

    private LogWriter active;
    private LogWriter spare;

    /** Of the active segment, as far as it is known. */
    private Written written;

    /** What the active segment has to begin with; it is written with its first batch. */
    private @Nullable SegmentBegin begin;

    /** Of the segments before the active one, until it is synced. */
    private final List<Claim> claims = new ArrayList<>();

    private long oldestNeeded = 1;

    private final Unsynced unsynced = new Unsynced();
    private @Nullable Flight flight;
    private boolean dirty;

    /** When a batch last waited because the file system took none, from anybody. */
    private volatile long refusedNanos;

    /** How often the owner has looked whether it may go on. */
    private final AtomicLong looks = new AtomicLong();

    private CommitLog(
            SegmentMaker maker, LogStream stream, LogOptions options, Scheduler scheduler, SegmentWriter first) {
        this.maker = maker;
        this.options = options;
        this.scheduler = scheduler;
        this.name = "log-" + stream.name();
        this.written = Written.header(first.position());
        this.active = LogWriter.start(scheduler, name, first.number(), refusals -> first);
        this.spare = makeAhead(first.number() + 1, Optional.empty());
        this.begin = new SegmentBegin(oldestNeeded, List.of());
        this.refusedNanos = scheduler.clock().nanos();
    }

    /** Begins a stream in a directory that exists and has none of this name. */
    public static CommitLog open(FileStore files, LogStream stream, LogOptions options, Scheduler scheduler)
            throws BigtableException {
        SegmentMaker maker = new SegmentMaker(files, stream, scheduler);
        return new CommitLog(maker, stream, options, scheduler, SegmentWriter.create(files, stream, 1));
    }

    /** The segment that the last batch is in. The next one may go further. */
    public long segment() {
        return active.number();
    }

    /** About how large a segment becomes. */
    public long segmentBytes() {
        return options.segmentBytes();
    }

    /** Whether something is in the log that is not synced. */
    public boolean isDirty() {
        return dirty;
    }

    /**
     * When, by the clock, a batch last waited for a file system that took none from anybody, or the log began: whoever
     * waits for that does not hang. Any thread.
     */
    public long refusedNanos() {
        return refusedNanos;
    }

    /**
     * How often the owner has looked whether what it waits for is there, once a second and more: while it waits this grows.
     * Any thread.
     */
    public long looks() {
        return looks.get();
    }

    /** Whether one datanode alone has what is written now, and the next segment is there: any batch makes the log go over. */
    public boolean mustRoll() {
        return active.isThin() && canRoll() && !spare.isThin();
    }

    /**
     * Gives a batch to the active writer; an empty one syncs what is there. It stays untouched until {@link #settle} has
     * returned. Waits only when the segment is left for the next, for its footer.
     */
    public void write(LogBatch batch, boolean sync) throws BigtableException, InterruptedException {
        checkState(flight == null, "a batch is on its way already");
        boolean full = written.length() + batch.bytes() > options.segmentBytes();
        if (mustRoll()) {
            logger.warn("{}: one datanode alone has segment {}: the log goes over to another", name, active.number());
            roll();
        } else if (full && !batch.isEmpty() && canRoll()) {
            roll();
        }
        flight = send(batch, sync);
    }

    /**
     * Waits until the batch is in the log, as durable as was asked: true if one writer was enough. Then it may be filled
     * again; else a thread that never ended may yet read it. When this fails nobody knows whether the batch is in the
     * log, and only {@link #abandon} may follow.
     */
    public boolean settle() throws BigtableException, InterruptedException {
        Flight mine = requireNonNull(flight, "no batch is on its way");
        long first = active.number();
        Doubt doubt = new Doubt(options, scheduler.clock());
        int failures = 0;
        while (!isIn(mine, failures == 0 ? options.syncMillis() : options.syncMillis() / LATE_ALREADY)) {
            // A segment with one datanode has nothing against the batch.
            failures += mine.isThin() ? 0 : 1;
            awaitOther(mine, failures < MAX_SEGMENTS_OF_A_BATCH, doubt);
            if (!mine.isIn()) {
                logger.warn("{}: {}: the log goes over to segment {}", name, trouble(mine), spare.number());
                Optional<Claim> claim = synced();
                // The writer of a thin one is well, and closing it lets the file system make more replicas of it.
                leave(mine.isThin() && finish() ? Optional.empty() : Optional.of(active), claim);
                mine = send(mine.batch(), mine.sync());
                flight = mine;
            }
        }
        if (mine.sync() && begin != null) {
            // From now on a reader knows that those before are not missing.
            maker.deleteBelow(begin.oldestNeeded());
        }
        flight = null;
        begin = null;
        written = mine.written().join();
        dirty = !mine.sync();
        if (mine.sync()) {
            claims.clear();
            unsynced.clear();
        } else {
            unsynced.add(mine.batch());
        }
        return active.number() == first;
    }

    /** Segments below this one are needed no more: the next segment will say so, and then they are deleted. */
    public void release(long segment) {
        oldestNeeded = Math.max(oldestNeeded, segment);
    }

    /** Ends the stream with a footer. */
    public void close() throws BigtableException, InterruptedException {
        if (begin != null) {
            write(new LogBatch(), true);
            boolean unused = settle();
        }
        spare.abandon();
        CompletableFuture<Written> footer = active.finish();
        await(footer, options.settleMillis());
        if (!footer.isDone()) {
            throw new UnavailableException(name + ": no footer within " + options.settleMillis() + " ms");
        }
        Written end = footer.join();
        if (end.failure().isPresent()) {
            throw end.failure().get();
        }
        boolean unused = hasEnded(active) && hasEnded(spare);
    }

    /** Leaves the segments as they are; whoever recovers the stream fences them. Never fails. */
    public void abandon() {
        active.abandon();
        spare.abandon();
    }

    private Flight send(LogBatch batch, boolean sync) {
        // A beginning that is never synced would have to be repeated by every segment after it.
        boolean synced = sync || claims.size() >= MAX_UNSYNCED_CLAIMS || !unsynced.hasRoomFor(batch);
        if (begin == null) {
            return Flight.to(active, batch, synced, !batch.isEmpty() || !unsynced.isEmpty());
        }
        return Flight.first(active, begin, unsynced.send(), batch, synced);
    }

    /** Whether the batch is in the active segment, after so long at most. Fails where no other segment would help. */
    private boolean isIn(Flight mine, long millis) throws BigtableException, InterruptedException {
        await(mine.written(), millis);
        refuseFenced(mine);
        return mine.isIn();
    }

    /** Nobody but the master takes the active segment from us: we are declared dead. */
    private static void refuseFenced(Flight mine) throws BigtableException {
        Optional<BigtableException> failure = mine.failure();
        if (failure.isPresent() && failure.get().kind() == BigtableException.Kind.FENCED) {
            throw failure.get();
        }
    }

    /** Until the other segment is there, or the batch is in the active one after all. Fails when there is no hope of either. */
    private void awaitOther(Flight mine, boolean mayGoOver, Doubt doubt)
            throws BigtableException, InterruptedException {
        while (!mine.isIn() && !(mayGoOver ? spare.ready().isDone() : mine.isLost())) {
            refuseFenced(mine);
            Doubt.Cause cause = cause(mine);
            long left = doubt.leftMillis(cause);
            if (left <= 0) {
                throw inDoubt(mine);
            }
            await(change(mine, mayGoOver), Math.min(left, LOOK_MILLIS));
            if (cause != Doubt.Cause.OURS) {
                doubt.passed();
                refusedNanos = scheduler.clock().nanos();
            }
        }
        if (!mine.isIn() && !mayGoOver) {
            throw inDoubt(mine);
        }
    }

    private Doubt.Cause cause(Flight mine) {
        if (mine.isThin()) {
            return Doubt.Cause.STORE;
        }
        return refusal()
                .map(why -> NoRoomException.isCauseOf(why) ? Doubt.Cause.STORE : Doubt.Cause.UNKNOWN)
                .orElse(Doubt.Cause.OURS);
    }

    private BigtableException inDoubt(Flight mine) {
        return mine.failure()
                .orElseGet(() -> new UnavailableException(name + ": " + trouble(mine)
                        + refusal().map(why -> "; " + why.getMessage()).orElse("")));
    }

    /** Whether the file system has lately answered that there can be no next segment now. */
    private Optional<BigtableException> refusal() {
        return spare.refusedWithin(options.settleMillis());
    }

    private CompletableFuture<Object> change(Flight mine, boolean mayGoOver) {
        List<CompletableFuture<?>> changes = new ArrayList<>();
        if (mayGoOver) {
            changes.add(spare.ready());
        }
        if (!mine.isLost()) {
            changes.add(mine.written());
        }
        return CompletableFuture.anyOf(changes.toArray(new CompletableFuture<?>[0]));
    }

    private String trouble(Flight mine) {
        if (mine.isThin()) {
            return "one datanode alone has segment " + active.number();
        }
        return mine.failure()
                .map(Throwable::getMessage)
                .orElseGet(() -> "a batch is on its way to segment " + active.number() + " for too long");
    }

    /** Until the future is done or the time over; which, it must be asked. */
    private void await(CompletableFuture<?> future, long millis) throws InterruptedException {
        for (long left = millis; left > 0 && !future.isDone(); left -= LOOK_MILLIS) {
            try {
                scheduler.await(future, Math.min(LOOK_MILLIS, left));
            } catch (BigtableException late) {
                // What is late is for the caller to see; these futures fail only of bugs, which end their thread.
                logger.debug("{}: {}", name, late.getMessage());
            }
            looks.lazySet(looks.get() + 1);
        }
    }

    /** Waits for that as long as for a footer. */
    private boolean hasEnded(LogWriter writer) throws InterruptedException {
        boolean ended = false;
        for (long left = options.settleMillis(); left > 0 && !ended; left -= LOOK_MILLIS) {
            ended = writer.join(Math.min(LOOK_MILLIS, left));
            looks.lazySet(looks.get() + 1);
        }
        return ended;
    }

    /** The active segment has begun, and the next one is there. */
    private boolean canRoll() {
        return begin == null && spare.ready().isDone();
    }

    /** The active segment is full, or one datanode alone has it: it ends with a footer, and the other becomes the active one. */
    private void roll() throws InterruptedException {
        Optional<Claim> claim = synced();
        if (!finish()) {
            leave(Optional.of(active), claim);
            return;
        }
        if (!written.thin()) {
            unsynced.clear();
        }
        leave(Optional.empty(), Optional.of(new Claim(active.number(), written.length(), true)));
    }

    /** Whether the active segment got its footer in time. */
    private boolean finish() throws InterruptedException {
        CompletableFuture<Written> footer = active.finish();
        await(footer, options.syncMillis());
        boolean closed = footer.isDone() && footer.join().failure().isEmpty();
        if (closed) {
            written = footer.join();
        }
        return closed;
    }

    /** What is certain of the active segment. */
    private Optional<Claim> synced() {
        return written.synced() > 0
                ? Optional.of(new Claim(active.number(), written.synced(), false))
                : Optional.empty();
    }

    /** The spare becomes the active segment. The one before is to be fenced, unless its writer has closed it. */
    private void leave(Optional<LogWriter> unfinished, Optional<Claim> claim) {
        claim.ifPresent(claims::add);
        active = spare;
        spare = makeAhead(active.number() + 1, unfinished);
        begin = new SegmentBegin(oldestNeeded, claims);
        written = Written.header(0);
    }

    private LogWriter makeAhead(long number, Optional<LogWriter> slow) {
        return LogWriter.start(scheduler, name, number, refusals -> maker.make(number, slow, refusals));
    }
}
