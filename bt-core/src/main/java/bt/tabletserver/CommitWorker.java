package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Halt;
import bt.base.Mailbox;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.log.CommitLog;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.WriteResult;
import bt.record.LogReport;
import bt.tablet.Tablet;
import bt.tabletserver.CommitEntry.Between;
import bt.tabletserver.CommitPipeline.LogInDoubt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The commit thread: orders writes and has them made durable, one batch after the other. It owns the log, the sequence
 * counter, the outcomes, and the write side of every tablet that it adopted. Each write is checked here, where nothing
 * can change in between, however it was checked before.
 */
final class CommitWorker {
    private static final int MAX_BATCH_ENTRIES = 2_000;

    /** Before it is sent: with one mutation more, of any size, it is still one that the log takes. */
    static final long MAX_BATCH_BYTES = 4L << 20;

    private static final long IDLE_MILLIS = 250;

    /** When a write is worth another try that a tablet refused whose files, or memory, have to become less. */
    private static final long LESS_RETRY_MILLIS = 1_000;

    /** How long a write of a table that asks for a flush alone may be on no disk. */
    private static final long MAX_UNSYNCED_NANOS = 1_000_000_000L;

    /**
     * How much faster memtables become files than they fill: at full speed those that fill at a time would take processors and
     * disks from all writes until they are done, and then nothing would be left to do until the next fill.
     */
    private static final long FLUSHED_OF_INFLOW = 2;

    private static final long LEAST_FLUSH_BYTES_PER_SECOND = 16L << 20;

    private final Scheduler scheduler;
    private final CommitLog log;
    private final long memtableShareBytes;
    private final CommitHooks hooks;
    private final Halt halt;
    private final Outcomes outcomes = new Outcomes();
    private final LogNeeds needs = new LogNeeds();
    private final CommitPipeline pipeline;
    private final LogTrim trim;
    private final Returning returning = new Returning();
    private final AdoptedTablets tablets = new AdoptedTablets();
    private final OnTheWay onTheWay = new OnTheWay();

    /** Those that take no writes until their files are merged, as of the last batch. */
    private final Set<TabletId> crowded = new HashSet<>();

    /** Those that take no writes until their memtables become files, as of the last batch. */
    private final Set<TabletId> stuck = new HashSet<>();

    private long syncedNanos;
    private boolean closing;

    private volatile long progressNanos;

    /** How often it has come to the next of the things that it does. */
    private final AtomicLong steps = new AtomicLong();

    private final Inflow inflow;

    /** Of all that take writes, or have taken some. */
    private volatile long heldBytes;

    /** What of that is frozen, and nothing is known to keep it from becoming files. */
    private volatile long flushingBytes;

    private volatile long memtableBytes;
    private volatile boolean ended;

    CommitWorker(Scheduler scheduler, CommitLog log, long memtableShareBytes, CommitHooks hooks, Halt halt) {
        this.scheduler = scheduler;
        this.log = log;
        this.memtableShareBytes = memtableShareBytes;
        this.hooks = hooks;
        this.halt = halt;
        this.pipeline = new CommitPipeline(log, scheduler.clock(), outcomes, needs);
        this.trim = new LogTrim(log, needs, pipeline, hooks, memtableShareBytes);
        this.progressNanos = scheduler.clock().nanos();
        this.syncedNanos = progressNanos;
        this.inflow = new Inflow(progressNanos);
    }

    /** Any thread. */
    boolean memtablesAreFull() {
        return memtableBytes > memtableShareBytes;
    }

    /** How fast memtables are to become files, all together. Any thread. */
    long flushBytesPerSecond() {
        return memtableBytes > memtableShareBytes / 8 * 7
                ? Long.MAX_VALUE
                : Math.max(LEAST_FLUSH_BYTES_PER_SECOND, FLUSHED_OF_INFLOW * inflow.bytesPerSecond());
    }

    /** It is being loaded: what its logs held of it is of the memtables' share. Any thread. */
    void comes(Tablet tablet) {
        onTheWay.comes(tablet);
    }

    /**
     * Whether the memtables' share has room for what logs hold of a tablet: not while it is full, nor while half of it becomes files,
     * for that is as much as may wait for that. Nor while loads have half of it: METADATA may not say for long that what they have
     * loaded is served, and writes need the rest. Any thread.
     */
    boolean hasRoom() {
        long comingBytes = onTheWay.bytesComing();
        return heldBytes + comingBytes <= memtableShareBytes
                && flushingBytes < memtableShareBytes / 2
                && comingBytes < memtableShareBytes / 2;
    }

    /** Who waits until the file system takes writes again gets on. Any thread. */
    long progressNanos() {
        long worked = progressNanos;
        long refused = log.refusedNanos();
        return refused - worked > 0 ? refused : worked;
    }

    /**
     * Grows by what the commit thread does, were it to look whether the log has a batch: it never waits longer than a second
     * without that. Where this stays as it is, the thread hangs. Any thread.
     */
    long steps() {
        return steps.get() + log.looks();
    }

    /** Any thread. */
    boolean hasEnded() {
        return ended;
    }

    /** What was written to the log, and what was done to keep it short. Any thread. */
    LogReport logReport() {
        return new LogReport(
                trim.copies(), trim.flushes(), pipeline.sentBatches(), pipeline.sentWrites(), pipeline.sentBytes());
    }

    void run(Mailbox<CommitEntry> mailbox, QueueRoom room) throws InterruptedException {
        boolean orderly = false;
        try {
            List<CommitEntry> taken = new ArrayList<>();
            while (!closing) {
                // Whoever waits for a sync has something to do before it waits for more writes.
                CommitEntry first = pipeline.isFlying() ? null : mailbox.poll(IDLE_MILLIS);
                progressNanos = scheduler.clock().nanos();
                step();
                if (first != null) {
                    taken.add(first);
                }
                carryOut(taken, mailbox, room);
                // What came while the log was at work goes with the next batch, not with the one after it.
                pipeline.settle();
                carryOut(taken, mailbox, room);
                gather(taken, mailbox, room);
                pipeline.push();
                syncInTime();
                trim.run(scheduler.clock().nanos(), this::freeze);
                outcomes.expire(scheduler.clock().micros());
                watchMemory();
            }
            pipeline.drain();
            log.close();
            orderly = true;
        } catch (LogInDoubt | BigtableException failed) {
            // What the log holds of the last batch decides what its clients may be told, and only recovery can read it.
            pipeline.fail();
            halt.halt("commit log in doubt: " + failed.getMessage());
        } catch (InterruptedException stopped) {
            pipeline.fail();
            throw stopped;
        } catch (RuntimeException bug) {
            pipeline.fail();
            halt.halt("commit thread: " + bug);
            throw bug;
        } finally {
            ended = true;
            if (!orderly) {
                log.abandon();
            }
        }
    }

    /** Makes a small batch larger by those who are answered now, where they come back at once. */
    private void gather(List<CommitEntry> taken, Mailbox<CommitEntry> mailbox, QueueRoom room)
            throws LogInDoubt, InterruptedException {
        int here = pipeline.openWrites();
        int wanted = returning.wanted(here, pipeline.flyingWrites());
        if (wanted > here) {
            pipeline.answer();
            mailbox.awaitSize(wanted - here, Returning.micros(pipeline.flushMicros()));
            carryOut(taken, mailbox, room);
            returning.came(pipeline.openWrites(), wanted);
        }
    }

    /** What was taken already, and what waits. */
    private void carryOut(List<CommitEntry> taken, Mailbox<CommitEntry> mailbox, QueueRoom room)
            throws LogInDoubt, InterruptedException {
        mailbox.drainTo(taken, MAX_BATCH_ENTRIES - taken.size());
        room.leave(taken);
        for (CommitEntry entry : taken) {
            carryOut(entry);
            step();
        }
        taken.clear();
    }

    private void step() {
        steps.lazySet(steps.get() + 1);
    }

    private void carryOut(CommitEntry entry) throws LogInDoubt, InterruptedException {
        if (entry instanceof WriteEntry write) {
            write.trace().taken();
            try {
                take(write);
            } catch (BigtableException refused) {
                // What it is told is kept until the last write of its request is answered.
                write.refuse(refused.bare());
            }
        } else {
            pipeline.drain();
            ((Between) entry).run(this);
        }
    }

    /** Answers the write, or admits it to the batch, or sends it back to be evaluated again. */
    private void take(WriteEntry entry) throws LogInDoubt, BigtableException, InterruptedException {
        if (pipeline.holds(entry.write().id())) {
            // A retry that overtook the answer: with the batch its outcome will be known.
            pipeline.drain();
        }
        Optional<WriteResult> known = outcomes.find(entry.write().id());
        if (known.isPresent() && known.get().failure().isEmpty()) {
            entry.answer().accept(known.get());
            return;
        }
        HostedTablet tablet = find(entry);
        if (known.isPresent()) {
            // Of a tablet that is not here it is for another to say: what was forgotten here may be others' writes.
            entry.answer().accept(known.get());
            return;
        }
        entry.caller().checkWaits(scheduler.clock().nanos());
        if (tablet.id().tableId() != TableSchema.METADATA_ID) {
            outcomes.checkRoom(entry.write().id(), entry.write().mutation().row(), entry.caller(), scheduler.clock());
        }
        if (crowded.contains(tablet.id())) {
            throw new OverloadedException(
                    subject(entry, tablet) + ": its tablet has too many files: it takes writes when some are merged",
                    LESS_RETRY_MILLIS);
        }
        if (stuck.contains(tablet.id())) {
            throw new OverloadedException(
                    subject(entry, tablet) + ": its tablet's memory cannot be written to a file ("
                            + tablet.merging()
                                    .flushTrouble()
                                    .lasting(scheduler.clock().nanos())
                                    .orElse("the next attempt is under way")
                            + "): it takes writes when it is",
                    LESS_RETRY_MILLIS);
        }
        if (!tablet.unread().files().isEmpty()) {
            checkIsNew(tablet);
        }
        boolean isClockRight = hooks.mayStamp();
        if (!isClockRight && entry.needsServerTime()) {
            throw new UnavailableException(
                    subject(entry, tablet)
                            + ": the clock of this server is wrong, and the write wants a timestamp of it",
                    Outcome.NOT_APPLIED);
        }
        if (!entry.write().readsRow() || isSettled(entry, tablet)) {
            if (!entry.changesNothing()) {
                // Here and not before: a retry of what was done already is answered what became of it.
                hooks.check(entry, tablet);
            }
            pipeline.admit(entry, tablet, isClockRight);
            if (!entry.changesNothing()) {
                // What is refused, for its family say, takes nothing of anybody's quota.
                hooks.admitted(entry, tablet);
            }
            if (pipeline.openBytes() > MAX_BATCH_BYTES) {
                pipeline.push();
            }
        }
    }

    /** It may be the second copy of one that nobody here knows of. */
    private void checkIsNew(HostedTablet tablet) throws CorruptionException {
        Optional<String> refusal = tablet.unread().refusal(scheduler.clock().nanos());
        if (refusal.isPresent()) {
            throw TabletDamage.of(tablet, new CorruptionException(refusal.get()));
        }
    }

    private HostedTablet find(WriteEntry entry) throws UnavailableException {
        Bytes row = entry.write().mutation().row();
        return tablets.find(entry.tableId(), row)
                .orElseThrow(() -> new UnavailableException(
                        "row " + row.brief() + " takes no writes on this server: locate it again",
                        Outcome.NOT_APPLIED));
    }

    private static String subject(WriteEntry entry, HostedTablet tablet) {
        return "table " + tablet.tablet().schema().name() + " row "
                + entry.write().mutation().row().brief();
    }

    /**
     * True when it is to be logged as it was evaluated, also where that changes nothing; REJECTED when it is refused; false
     * when that was not all.
     */
    private boolean isSettled(WriteEntry entry, HostedTablet tablet)
            throws LogInDoubt, BigtableException, InterruptedException {
        Evaluation seen = entry.evaluation().orElseThrow();
        Bytes row = entry.write().mutation().row();
        if (pipeline.changes(entry.tableId(), row)) {
            pipeline.drain();
        }
        if (tablet.tablet().mayHaveChangedSince(seen.readPoint(), row)) {
            // Where it waits to be read again it is counted as what was asked for, if at all.
            hooks.evaluateAgain(entry.unevaluated(), tablet);
            return false;
        }
        if (seen.decision() instanceof Evaluation.Refuse refuse) {
            // It tells what was read, and no log fences it: another server may have the tablet by now.
            if (!hooks.isLeaseHeld()) {
                throw new UnavailableException(
                        subject(entry, tablet) + ": what the row holds this server cannot say without its lease",
                        Outcome.NOT_APPLIED);
            }
            throw refuse.why();
        }
        return true;
    }

    void adopt(HostedTablet tablet, Outcomes replayed) {
        // Before the first write: a sequence at or below one that the tablet has would hide it behind what is older,
        // and one at or below the redo point would be skipped by the next replay.
        pipeline.raise(tablet.tablet().readPoint());
        outcomes.addAll(replayed);
        tablets.add(tablet);
        onTheWay.hasCome(tablet);
    }

    void disown(HostedTablet tablet) {
        tablets.remove(tablet);
        onTheWay.leaves(tablet);
        freeze(tablet);
        // Whoever has it stopped may have it split, which only the owner can.
        tablet.tablet().passOn();
    }

    void freeze(HostedTablet tablet) {
        tablet.freeze(outcomes.openIn(
                        tablet.id(), tablet.tablet().range(), scheduler.clock().micros()))
                .ifPresent(frozen -> needs.froze(tablet, frozen));
    }

    void close() {
        closing = true;
    }

    private void syncInTime() throws LogInDoubt, InterruptedException {
        long now = scheduler.clock().nanos();
        if (!log.isDirty()) {
            syncedNanos = now;
            if (!pipeline.isFlying() && log.mustRoll()) {
                // Nobody may write for days.
                pipeline.sync();
            }
        } else if (now - syncedNanos > MAX_UNSYNCED_NANOS) {
            pipeline.sync();
            syncedNanos = now;
        }
    }

    /**
     * Asks for minor compactions: of what is large, and of the largest when all together come near their share. Looks who has
     * too many files of them.
     */
    private void watchMemory() {
        long active = 0;
        long frozen = 0;
        long flushing = 0;
        crowded.clear();
        stuck.clear();
        for (HostedTablet tablet : tablets.all()) {
            long frozenHere = tablet.tablet().frozenBytes();
            active += tablet.tablet().memtableBytes();
            frozen += frozenHere;
            flushing += isHindered(tablet) ? 0 : frozenHere;
            if (tablet.tablet().wantsMinorCompaction()) {
                hooks.compact(tablet);
            }
            if (hooks.isCrowded(tablet)) {
                crowded.add(tablet.id());
            }
            if (isStuck(tablet)) {
                stuck.add(tablet.id());
            }
        }
        frozen += onTheWay.bytesLeaving();
        heldBytes = active + frozen;
        flushingBytes = flushing;
        frozen += onTheWay.bytesComing();
        memtableBytes = active + frozen;
        inflow.look(pipeline.sentBytes(), scheduler.clock().nanos());
        if (isNearlyFull(active, frozen)) {
            // One that cannot become a file is no reason to keep others in memory.
            tablets.all().stream()
                    .filter(tablet -> !stuck.contains(tablet.id()))
                    .max(Comparator.comparingLong(tablet -> tablet.tablet().memtableBytes()))
                    .ifPresent(hooks::compact);
        }
    }

    /** Whether it is known that its memory does not become files now: the file store, or METADATA, has not taken the last attempt. */
    private static boolean isHindered(HostedTablet tablet) {
        return tablet.merging().flushTrouble().isNow() || tablet.row().trouble().isNow();
    }

    /**
     * Whether its memory would take that of all: a full memtable is frozen and does not become a file, and the next is full. Not
     * METADATA's, without which no tablet would get on.
     */
    private boolean isStuck(HostedTablet tablet) {
        return tablet.id().tableId() != TableSchema.METADATA_ID
                && tablet.merging().flushTrouble().isNow()
                && tablet.tablet().wantsMinorCompaction()
                && tablet.tablet().frozenBytes() > 0
                && tablet.merging()
                        .flushTrouble()
                        .lasting(scheduler.clock().nanos())
                        .isPresent();
    }

    /**
     * Where a quarter of the share is on its way to files already, that is waited for a while: asked for at every batch, the
     * next largest and then all would become files, each smaller than the one before. Where little is active nothing would be won.
     */
    private boolean isNearlyFull(long active, long frozen) {
        long total = active + frozen;
        return active > memtableShareBytes / 8
                && total > memtableShareBytes / 8 * (frozen < memtableShareBytes / 4 ? 6 : 7);
    }
}
