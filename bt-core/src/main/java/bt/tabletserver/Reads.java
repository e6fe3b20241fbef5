package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.NamedRows;
import bt.protocol.PageBounds;
import bt.protocol.Regexes;
import bt.protocol.Request.Scan;
import bt.protocol.RowResume;
import bt.sstable.ReadWork;
import bt.tablet.Page;
import bt.tablet.PageLimits;
import bt.tablet.ReadSpec;
import bt.tablet.Resume;
import bt.tablet.Shown;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Answers reads: a page from the tablet, and only while the lease is held. What is in memory is read where the request
 * came in, for handing it to another thread costs more than most such reads; what has to wait for the file store, or turns out
 * to be much, begins again on the read pool. A read that nobody waits for any more is not begun, and one that is under way
 * ends. Any thread.
 */
final class Reads {
    private static final int MAX_PAGE_BYTES = 16 << 20;
    private static final int MAX_PAGE_CELLS = 1_000_000;

    /** Others have their turn then, and the client asks for the next page. */
    private static final long PAGE_NANOS = 1_000_000_000;

    /** What METADATA is asked for at a time, and more. */
    private static final int FEW_ROWS = 32;

    /** Of a filter: five hundred over a thousand cells are milliseconds. */
    private static final int FEW_PARTS = 10;

    /** Of a table; the hundreds that there may be are gone through on a read thread. */
    private static final int FEW_FAMILIES = 100;

    /** About as many as take as long as a look-up in memory, with all that belongs to it: some 10 microseconds. */
    private static final int STEPS_OF_A_REQUEST = 100;

    /** On event loops nothing is taken. */
    private static final ReadRoom.Hold NO_ROOM = new ReadRoom(0).hold();

    private final TabletSet tablets;
    private final Pools pools;
    private final Lease lease;
    private final AccessGate access;
    private final Clock clock;
    private final Traces traces;

    Reads(TabletSet tablets, Pools pools, Lease lease, AccessGate access, Clock clock, Traces traces) {
        this.tablets = tablets;
        this.pools = pools;
        this.lease = lease;
        this.access = access;
        this.clock = clock;
        this.traces = traces;
    }

    /** Of a request that came at this time, which was just now: each further look at the clock takes 25 ns. */
    CompletableFuture<Answer> page(Caller caller, Scan scan, long cameNanos) {
        if (scan.walk().isEmpty()) {
            return CompletableFuture.completedFuture(
                    new Answer.Page(List.of(), Optional.empty(), Optional.empty(), 0, 0));
        }
        Bytes first = scan.walk().next();
        Optional<HostedTablet> hosted = tablets.find(scan.tableId(), first);
        if (hosted.isEmpty()) {
            return CompletableFuture.failedFuture(new UnavailableException(
                    "row " + first.brief() + " is not served here: locate it again", Outcome.NOT_APPLIED));
        }
        try {
            NamedRows.check(hosted.get().tablet().schema(), scan.walk().rows().ranges());
        } catch (RejectedException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        hosted.get().traffic().count(first);
        Asked asked = new Asked(
                hosted.get(),
                caller,
                scan,
                traces.wantsNext() ? trace(caller, scan) : Trace.NONE,
                new CompletableFuture<>());
        traces.keep(asked.trace, asked.answer);
        if (!mayBeShort(scan, hosted.get().tablet().schema()) || !readHere(asked, cameNanos)) {
            readThere(asked);
        }
        return asked.answer;
    }

    /** Something that takes as long as a read, and in its turn; what nobody waits for any more is not begun. */
    CompletableFuture<Answer> run(Caller caller, long tableId, Supplier<Answer> work) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        try {
            pools.reads(tableId).execute(caller.host(), () -> {
                try {
                    caller.checkWaits(clock.nanos());
                    answer.complete(work.get());
                } catch (UnavailableException over) {
                    answer.completeExceptionally(over);
                } catch (RuntimeException | Error bug) {
                    // Unanswered, its caller would wait for all of its time.
                    answer.completeExceptionally(bug);
                    throw bug;
                }
            });
        } catch (RejectedExecutionException full) {
            answer.completeExceptionally(tooMany());
        }
        return answer;
    }

    /** Few rows, from their beginning, and a filter that costs little more than what it is shown. */
    static boolean mayBeShort(Scan scan, TableSchema schema) {
        RowSet rows = scan.walk().rows();
        return (rows.isOneRow()
                        || (scan.bounds().rows() <= FEW_ROWS && rows.ranges().size() <= FEW_ROWS))
                && scan.resume().isEmpty()
                && (hasFewFamilies(schema) || !goesThroughFamilies(scan.filter(), schema))
                && isCheap(scan.filter());
    }

    /** Where each part of a filter may go through all of them, before anything is read. */
    private static boolean hasFewFamilies(TableSchema schema) {
        return schema.families().size() <= FEW_FAMILIES;
    }

    /** What is no range of families or qualifiers looks up those alone that it names; and where there are lists of rights some may be hidden. */
    private static boolean goesThroughFamilies(Filter filter, TableSchema schema) {
        return schema.access().isPresent()
                || !(filter instanceof Filter.All
                        || filter instanceof Filter.None
                        || filter instanceof Filter.Families
                        || filter instanceof Filter.Columns
                        || filter instanceof Filter.Latest
                        || filter instanceof Filter.Times);
    }

    /** Scripts have seconds, and of what is not named here nothing is known. Every part may see each cell. */
    private static boolean isCheap(Filter filter) {
        return partsLeft(filter, FEW_PARTS) >= 0;
    }

    /** How many parts more there may be; negative where there are too many, or one that may cost more than what it is shown. */
    private static int partsLeft(Filter filter, int most) {
        if (filter instanceof Filter.Chain chain) {
            int left = most;
            List<Filter> parts = chain.filters();
            for (int i = 0; i < parts.size() && left >= 0; i++) {
                left = partsLeft(parts.get(i), left);
            }
            return left;
        }
        if (filter instanceof Filter.Condition condition) {
            int left = partsLeft(condition.predicate(), most - 1);
            left = left < 0 ? left : partsLeft(condition.then(), left);
            return left < 0 ? left : partsLeft(condition.otherwise(), left);
        }
        boolean isCheap = filter instanceof Filter.All
                || filter instanceof Filter.None
                || filter instanceof Filter.Within
                || filter instanceof Filter.Families
                || filter instanceof Filter.Columns
                || filter instanceof Filter.Latest
                || filter instanceof Filter.Times;
        return isCheap ? most - 1 : -1;
    }

    /** On the event loop that the request came from, which must not wait. False: it cannot be done here. */
    private boolean readHere(Asked asked, long nowNanos) {
        ReadWork work = ReadWork.ofThread();
        LoopRead terms = LoopRead.ofThread();
        if (!terms.begin(work, clock, nowNanos)) {
            return false;
        }
        try {
            boolean unused = read(asked, work, NO_ROOM, nowNanos);
        } catch (LoopRead.HandOver handOver) {
            return false;
        } finally {
            terms.end(work);
        }
        return true;
    }

    private void readThere(Asked asked) {
        readThere(asked, pools.readRoom(asked.scan.tableId()).hold());
    }

    private void readThere(Asked asked, ReadRoom.Hold room) {
        onReadThread(asked, room, () -> {
            ReadWork work = ReadWork.ofThread();
            asked.trace.taken();
            ReadPool pool = pools.reads(asked.scan.tableId());
            work.begin(new AwaitedRead(asked.caller, clock, room, pool), AwaitedRead.STEPS_BETWEEN_LOOKS);
            work.endAfter(PAGE_NANOS);
            boolean ended = true;
            try {
                long nowNanos = clock.nanos();
                asked.caller.checkWaits(nowNanos);
                Regexes.compile(asked.scan.filter());
                ended = read(asked, work, room, nowNanos);
            } catch (UnavailableException | RejectedException refused) {
                asked.answer.completeExceptionally(refused);
            } catch (Error bug) {
                asked.answer.completeExceptionally(bug);
                throw bug;
            } finally {
                work.end();
                room.end();
            }
            if (!ended) {
                awaitRoom(asked, room);
            }
        });
    }

    private void awaitRoom(Asked asked, ReadRoom.Hold refused) {
        try {
            refused.await(asked.caller.host(), room -> readThere(asked, room));
        } catch (OverloadedException full) {
            asked.answer.completeExceptionally(full);
        }
    }

    private void onReadThread(Asked asked, ReadRoom.Hold room, Runnable work) {
        try {
            pools.reads(asked.scan.tableId()).execute(asked.caller.host(), room, work);
        } catch (RejectedExecutionException full) {
            room.end();
            asked.answer.completeExceptionally(tooMany());
        }
    }

    static OverloadedException tooMany() {
        return new OverloadedException("too many reads wait here", CommitQueue.RETRY_AFTER_MILLIS);
    }

    /** False where the room has refused it more: it is not answered. */
    private boolean read(Asked asked, ReadWork work, ReadRoom.Hold room, long nowNanos) {
        try {
            asked.caller.checkWaits(nowNanos);
            if (!lease.isHeldAt(nowNanos)) {
                park(asked);
                return true;
            }
            Page page = asked.hosted.tablet().read(spec(asked.scan, shown(asked)));
            work.complete();
            asked.trace.read(work);
            weigh(asked, work, page.cells());
            answer(asked, page);
        } catch (LoopRead.HandOver handOver) {
            throw handOver;
        } catch (CorruptionException damage) {
            asked.trace.read(work);
            weigh(asked, work, List.of());
            asked.answer.completeExceptionally(TabletDamage.of(asked.hosted, damage));
        } catch (BigtableException | RuntimeException failed) {
            asked.trace.read(work);
            weigh(asked, work, List.of());
            if (room.isRefused()) {
                return false;
            }
            asked.answer.completeExceptionally(failed);
        } catch (Error bug) {
            asked.answer.completeExceptionally(bug);
            throw bug;
        }
        return true;
    }

    /** A page that looks at much is many requests, of the rows that it shows; the first was counted when it came. */
    private static void weigh(Asked asked, ReadWork work, List<Cell> cells) {
        int more = (int) Math.min(Integer.MAX_VALUE, work.steps() / STEPS_OF_A_REQUEST);
        if (more > 0) {
            Bytes first = asked.scan.walk().next();
            asked.hosted
                    .traffic()
                    .count(
                            more,
                            at -> cells.isEmpty()
                                    ? first
                                    : cells.get((int) ((long) at * cells.size() / more))
                                            .row());
        }
    }

    private void answer(Asked asked, Page page) {
        // The lease is looked at after the value was read: held now, it was held then, and no other server can have
        // acknowledged anything newer in between.
        if (!lease.isHeld()) {
            park(asked);
            return;
        }
        if (asked.trace.isKept()) {
            asked.trace.carries(page.rowsSeen(), bytes(page));
        }
        asked.answer.complete(page(page));
    }

    /**
     * Waits for the lease, and begins again. What waits is the request, which its connection's budget counts until it is
     * answered: pages that wait would be in nobody's. The lease thread only hands it over, for while it reads or encodes, it
     * renews nothing.
     */
    private void park(Asked asked) {
        CompletableFuture<?> unused = lease.whenHeld(asked.caller.deadlineNanos())
                .whenComplete((held, lapsed) -> {
                    if (lapsed == null) {
                        readThere(asked);
                    } else {
                        onReadThread(asked, NO_ROOM, () -> asked.answer.completeExceptionally(lapsed));
                    }
                });
    }

    private Trace trace(Caller caller, Scan scan) {
        String kind = scan.walk().rows().isOneRow() ? "get" : "scan";
        return traces.begin(new Trace.Came(kind, scan.tableId(), scan.walk().next()), caller);
    }

    private static long bytes(Page page) {
        long bytes = 0;
        for (Cell cell : page.cells()) {
            bytes += cell.bytes();
        }
        return bytes;
    }

    /** A read on its way, and where its answer goes. */
    private record Asked(
            HostedTablet hosted, Caller caller, Scan scan, Trace trace, CompletableFuture<Answer> answer) {}

    /** What its user may see, by the lists that there are when the page is read. */
    private Shown shown(Asked asked) throws BigtableException {
        return access.shown(asked.caller.user(), asked.hosted.tablet().schema(), asked.scan.filter());
    }

    private static ReadSpec spec(Scan scan, Shown shown) {
        PageBounds bounds = scan.bounds();
        PageLimits limits = new PageLimits(
                bounds.rows(), Math.min(bounds.cells(), MAX_PAGE_CELLS), Math.min(bounds.bytes(), MAX_PAGE_BYTES));
        return new ReadSpec(
                scan.walk(),
                scan.filter(),
                limits,
                scan.resume()
                        .map(at -> new Resume(at.afterKey(), at.sequence(), at.nowMicros(), at.counted(), at.met())),
                shown);
    }

    private static Answer.Page page(Page page) {
        return new Answer.Page(
                page.cells(),
                page.next(),
                page.resume()
                        .map(at -> new RowResume(at.afterKey(), at.sequence(), at.nowMicros(), at.counted(), at.met())),
                page.rowsSeen(),
                page.cellsSeen());
    }
}
