package bt.metadata;

import static bt.base.Check.checkArgument;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Ending;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.base.Retry;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.metadata.TabletsHome.Found;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Calls;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.WriteId;
import bt.protocol.WriteNumbers;
import bt.record.RootEvent;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * METADATA, and the only door for changing it (section 5.1 of the paper). A change names the generation that it was
 * decided on and is REJECTED when the row has moved since: read it again and decide again. Every method waits, for a
 * minute at most, while METADATA is not served, and is UNAVAILABLE afterwards; a change is then UNKNOWN unless it is
 * certain that it was never sent. Any thread.
 */
public final class MetadataTable {
    private static final long CALL_MILLIS = 10_000;
    private static final long DEADLINE_MILLIS = 60_000;
    private static final long NO_MASTER = Request.Mutate.NO_MASTER;

    /** The master must not wait for METADATA to be served: it is the one who sees to that. */
    private static final long MASTER_MILLIS = 1_500;

    /** Of the text: it is kept in memory, and the keys in it may be long. */
    private static final int MAX_DAMAGE_CHARS = 2_000;

    private final LockService locks;
    private final Locator locator;
    private final RowHome root;
    private final TabletsHome tablets;
    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final Retry retry;
    private final WriteNumbers numbers;
    private final long masterEpoch;
    private final Ending ending;

    /** For a tablet server. */
    public MetadataTable(Network network, LockService locks, Scheduler scheduler) {
        this(network, locks, scheduler, new SecureRandom());
    }

    /** The generator draws the writer's id and spreads the pauses between attempts. */
    public MetadataTable(Network network, LockService locks, Scheduler scheduler, RandomGenerator random) {
        this(network, locks, scheduler, random, new Ending("it ended", "begin another"));
    }

    /** The same for an owner who may end: nothing is tried again then. */
    public MetadataTable(
            Network network, LockService locks, Scheduler scheduler, RandomGenerator random, Ending ending) {
        this.locks = locks;
        this.scheduler = scheduler;
        this.random = random;
        Calls calls = new Calls(network, scheduler, CALL_MILLIS);
        locator = new Locator(calls, locks);
        root = new RootHome(locks, scheduler.clock());
        tablets = new TabletsHome(calls, locator);
        retry = new Retry(scheduler, random, DEADLINE_MILLIS, ending);
        numbers = new WriteNumbers(random.nextLong());
        masterEpoch = NO_MASTER;
        this.ending = ending;
    }

    private MetadataTable(MetadataTable of, long masterEpoch, long millis) {
        locks = of.locks;
        locator = of.locator;
        root = of.root;
        tablets = of.tablets;
        scheduler = of.scheduler;
        random = of.random;
        retry = new Retry(scheduler, random, millis, of.ending);
        numbers = of.numbers;
        this.masterEpoch = masterEpoch;
        ending = of.ending;
    }

    /**
     * The same, for the master of this epoch: its changes carry the epoch, and are FENCED where a later master has changed
     * the row. The condition on the generation keeps that true until the change is made. What METADATA does not answer is
     * UNAVAILABLE soon.
     */
    public MetadataTable asMaster(long epoch) {
        checkArgument(epoch >= 0, "master epoch %d", epoch);
        return new MetadataTable(this, epoch, MASTER_MILLIS);
    }

    /** The same, for who cannot wait for a minute: what METADATA does not answer is UNAVAILABLE after so long. */
    public MetadataTable within(long millis) {
        return new MetadataTable(this, masterEpoch, millis);
    }

    /** The row of a tablet, the root tablet's too; also one that is marked gone. */
    public Optional<MetadataRow> read(TabletId id) throws BigtableException, InterruptedException {
        return retry.run("METADATA row " + id, deadline -> home(id).read(id, deadline));
    }

    /** The rows of the tables from one id to another, both included, without those marked gone; in order of their keys. */
    public List<MetadataRow> scan(long fromTableId, long toTableId) throws BigtableException, InterruptedException {
        return scanAll(fromTableId, toTableId).stream()
                .filter(row -> !row.gone())
                .toList();
    }

    /** The same with those marked gone. */
    public List<MetadataRow> scanAll(long fromTableId, long toTableId) throws BigtableException, InterruptedException {
        List<MetadataRow> rows = new ArrayList<>();
        if (fromTableId == MetadataSchema.ROOT.tableId()) {
            read(MetadataSchema.ROOT).ifPresent(rows::add);
        }
        RowRange all = MetadataKeys.tables(fromTableId, toTableId);
        Optional<Bytes> next = Optional.of(all.start());
        while (next.isPresent()) {
            SomeRows page = scanSome(new RowRange(next.get(), all.end()));
            rows.addAll(page.rows());
            next = page.next();
        }
        return rows;
    }

    /** The first rows in a range of keys, a page of them, those marked gone too. The root tablet's row is in no range. */
    public SomeRows scanSome(RowRange keys) throws BigtableException, InterruptedException {
        Found page = retry.run("METADATA from " + keys.start(), deadline -> tablets.scan(RowWalk.over(keys), deadline));
        if (!page.damage().isEmpty()) {
            throw page.damage().get(0).told();
        }
        return new SomeRows(page.rows(), page.next());
    }

    /** Rows in the order of their keys, and from where on there may be more. */
    public record SomeRows(List<MetadataRow> rows, Optional<Bytes> next) {
        public SomeRows {
            rows = List.copyOf(rows);
        }
    }

    /** The rows in a range of keys as {@link #scan} has them, for who must go on whatever is damaged. */
    public ReadableRows scanReadable(RowRange keys) throws BigtableException, InterruptedException {
        return scanReadable(RowSet.of(keys));
    }

    /** The same of several keys and ranges of keys: no other row is read. */
    public ReadableRows scanReadable(RowSet keys) throws BigtableException, InterruptedException {
        List<MetadataRow> rows = new ArrayList<>();
        List<DamagedRow> damage = new ArrayList<>();
        for (RowWalk part : KeyParts.of(keys)) {
            RowWalk rest = part;
            while (!rest.isEmpty()) {
                RowWalk next = rest;
                Found page = retry.run("METADATA from " + next.next(), deadline -> tablets.scan(next, deadline));
                for (MetadataRow row : page.rows()) {
                    Optional<DamagedRow> unclear = row.gone() ? Optional.empty() : unclear(row);
                    unclear.ifPresent(damage::add);
                    if (unclear.isEmpty() && !row.gone()) {
                        rows.add(row);
                    }
                }
                damage.addAll(page.damage());
                rest = page.next().map(rest::from).orElse(RowWalk.NONE);
            }
        }
        return new ReadableRows(rows, damage);
    }

    /** What is half done must be understood too, or it would be taken for done. */
    private static Optional<DamagedRow> unclear(MetadataRow row) {
        try {
            List<SplitIntent> unusedSplits = SplitIntent.of(row);
            Optional<MergeIntent> unusedMerge = MergeIntent.of(row);
            return Optional.empty();
        } catch (CorruptionException damaged) {
            return Optional.of(new DamagedRow(
                    MetadataKeys.of(row.id()),
                    new CorruptionException(
                            "METADATA row " + row.id() + ": what is half done: " + damaged.getMessage())));
        }
    }

    /** Rows that can be read, in order, and of each other one what is wrong with it. */
    public record ReadableRows(List<MetadataRow> rows, List<DamagedRow> damage) {
        public ReadableRows {
            rows = List.copyOf(rows);
            damage = List.copyOf(damage);
        }
    }

    /** A row that cannot be understood, by its key, and what is wrong with it, which names the key. */
    public record DamagedRow(Bytes key, CorruptionException why) {
        /** Its tablet, as its key tells; empty where that is damaged too. */
        public Optional<TabletId> tablet() {
            try {
                return Optional.of(MetadataKeys.decode(key));
            } catch (CorruptionException noTablets) {
                return Optional.empty();
            }
        }

        /** What is wrong, behind the rows that it is about: for whoever knows their table, and says it. */
        public String inWords() {
            return tablet().map(known -> known.rows() + ": ").orElse("") + why.getMessage();
        }

        CorruptionException told() {
            CorruptionException told = new CorruptionException(inWords(), why.outcome());
            told.initCause(why);
            return told;
        }
    }

    /**
     * For who checks METADATA: a page of the rows in a range of keys, or more than a page where a row is large. Damage is
     * shown, not thrown. The root tablet's row is in no range, see {@link #lookAtRoot}.
     */
    public SeenPage look(RowRange keys) throws BigtableException, InterruptedException {
        return retry.run("METADATA from " + keys.start(), deadline -> tablets.look(keys, deadline));
    }

    /** For who checks METADATA: the root tablet's row; empty where no master has ever run. */
    public Optional<SeenRow> lookAtRoot() throws BigtableException {
        return RootRows.look(locks);
    }

    /** What happened to the root tablet, whose row is no row of METADATA: the newest events, the oldest first. */
    public List<RootEvent> rootEvents() throws BigtableException {
        return RootRows.events(locks).stream()
                .sorted(Comparator.comparingLong(RootEvent::getMicros))
                .toList();
    }

    /** The first table from this id on that has a row in METADATA, a gone one too; table 0 is not looked for. */
    public Optional<Long> nextTable(long fromTableId) throws BigtableException, InterruptedException {
        RowRange rest = MetadataKeys.tables(fromTableId, Long.MAX_VALUE);
        return retry.run("METADATA from table " + fromTableId, deadline -> tablets.firstTable(rest, deadline));
    }

    /** When the row was changed last, in microseconds since 1970; empty when there is none. Not for the root tablet's. */
    public Optional<Long> changedMicros(TabletId id) throws BigtableException, InterruptedException {
        return retry.run("METADATA row " + id, deadline -> tablets.changedMicros(id, deadline));
    }

    /**
     * Removes a row that is marked gone, for good. REJECTED when its generation has moved; whether a removal whose answer was
     * lost was made shows when the row is looked for again.
     */
    public void remove(MetadataRow gone) throws BigtableException, InterruptedException {
        checkArgument(gone.gone(), "METADATA row %s is not gone", gone.id());
        WriteId id = numbers.open();
        try {
            retry.run("METADATA row " + gone.id(), deadline -> {
                tablets.delete(gone, id, deadline);
                return true;
            });
        } finally {
            numbers.close(id);
        }
    }

    /** The row of a new tablet that nobody serves. REJECTED when there is one, gone or not. */
    public MetadataRow create(TabletId id, TabletState state, String event)
            throws BigtableException, InterruptedException {
        MetadataRow wanted = new MetadataRow(id, 0, Math.max(0, masterEpoch), TabletStates.unassigned(), state);
        return change(wanted, Optional.empty(), RowEvent.of(event));
    }

    /**
     * Replaces the row that was read. REJECTED when its generation has moved, and nothing was applied; FENCED when a
     * later master has been there. The new row.
     */
    public MetadataRow replace(MetadataRow read, TabletLocation location, TabletState state, String event)
            throws BigtableException, InterruptedException {
        return replace(read, location, state, RowEvent.of(event));
    }

    /** The same with an event of its files alone, perhaps. */
    public MetadataRow replace(MetadataRow read, TabletLocation location, TabletState state, RowEvent event)
            throws BigtableException, InterruptedException {
        checkReign(read);
        long epoch = Math.max(read.masterEpoch(), masterEpoch);
        MetadataRow wanted = new MetadataRow(read.id(), read.generation() + 1, epoch, location, state);
        return change(wanted, Optional.of(read.generation()), event);
    }

    /**
     * Says in the row of a user's tablet for what damage its server cannot load it, so that clients need not wait for it; until the
     * row is changed again. REJECTED when its generation has moved, and nothing was applied. The new row.
     */
    public MetadataRow tellDamage(MetadataRow read, String damage) throws BigtableException, InterruptedException {
        checkArgument(read.id().tableId() != TableSchema.METADATA_ID, "%s is METADATA's", read.id());
        // A long row is text of many times its bytes.
        String told = damage.substring(0, Math.min(damage.length(), MAX_DAMAGE_CHARS));
        MetadataRow wanted = new MetadataRow(
                read.id(), read.generation() + 1, read.masterEpoch(), read.location(), read.state(), Optional.of(told));
        return change(wanted, Optional.of(read.generation()), RowEvent.of("cannot be loaded: " + told));
    }

    /**
     * Writes the row of a split's lower half where that has not been done yet. Any number of processes may do so at a time:
     * the generation that the intent names lets one through. The row as it is now.
     */
    public MetadataRow complete(SplitIntent split) throws BigtableException, InterruptedException {
        MetadataRow wanted = split.lower();
        while (true) {
            Optional<MetadataRow> now = read(wanted.id());
            if (now.isPresent() && now.get().generation() >= wanted.generation()) {
                return now.get();
            }
            if (now.isPresent()) {
                checkReign(now.get());
            }
            long epoch = Math.max(
                    masterEpoch,
                    Math.max(
                            wanted.masterEpoch(),
                            now.map(MetadataRow::masterEpoch).orElse(0L)));
            MetadataRow row =
                    new MetadataRow(wanted.id(), wanted.generation(), epoch, wanted.location(), wanted.state());
            try {
                return change(row, now.map(MetadataRow::generation), RowEvent.of("split off"));
            } catch (RejectedException overtaken) {
                Optional<MetadataRow> after = read(wanted.id());
                if (after.map(MetadataRow::generation).equals(now.map(MetadataRow::generation))) {
                    // So it was not the condition that refused.
                    throw overtaken;
                }
            }
        }
    }

    private void checkReign(MetadataRow read) throws FencedException {
        if (masterEpoch != NO_MASTER && read.masterEpoch() > masterEpoch) {
            throw new FencedException(
                    "METADATA row " + read.id() + " was changed by the master of epoch " + read.masterEpoch()
                            + ", ours is " + masterEpoch + ": another master has taken over",
                    BigtableException.Outcome.NOT_APPLIED);
        }
    }

    /** For whoever reads or writes other tables in the same process. */
    public Locator locator() {
        return locator;
    }

    private MetadataRow change(MetadataRow wanted, Optional<Long> expected, RowEvent event)
            throws BigtableException, InterruptedException {
        if (wanted.previousEndRow().isPresent() && wanted.range().isEmpty()) {
            throw new RejectedException(
                    "METADATA row " + wanted.id() + ": it cannot begin after "
                            + wanted.previousEndRow().get().brief(),
                    "look at it again, and decide again");
        }
        WriteId id = numbers.open();
        try {
            return new RowWriter(home(wanted.id()), retry)
                    .write(new RowChange(wanted, expected, event, id, masterEpoch));
        } finally {
            numbers.close(id);
        }
    }

    private RowHome home(TabletId id) {
        return id.equals(MetadataSchema.ROOT) ? root : tablets;
    }
}
