package bt.tablet;

import static bt.base.BigtableException.Outcome.NOT_APPLIED;
import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * One tablet (section 5.3 of the paper). Any thread reads it, and never waits for a writer. Its owner thread alone writes
 * and freezes: first whoever loads and replays it, then, after {@link #passOn}, the commit thread of its server. Installing
 * what a compaction wrote is one swap of the view and may be done by any thread.
 */
public final class Tablet implements AutoCloseable {
    private final TabletId id;
    private final RowRange range;
    private final TabletContext context;
    private final OwnerThread owner = new OwnerThread();
    private final ReentrantLock swapping = new ReentrantLock();
    private final FilesToCome filesToCome = new FilesToCome();
    private volatile TabletView view;
    private volatile boolean closed;
    private volatile long readPoint;
    private final Compactions compactions;
    private final TabletReads reads;

    /** The highest sequence that was applied, visible or not. The owner's. */
    private long lastSequence;

    /** The owner's. */
    private long lastServerTimestamp;

    /** The two halves of a tablet that was divided. */
    public record Halves(Tablet lower, Tablet upper) {}

    private Tablet(TabletId id, RowRange range, TabletContext context, TabletView view) {
        this.id = id;
        this.range = range;
        this.context = context;
        this.view = view;
        this.compactions = new Compactions(this, view, context);
        compactions.look(view);
        this.reads = new TabletReads(this, context);
    }

    /** Opens the files that the state names. What its logs still hold is for the caller to apply and publish. */
    public static Tablet open(TabletId id, TableSchema schema, TabletState state, TabletContext context)
            throws BigtableException {
        List<TabletFile> files = TabletFile.openAll(ofRows(state.getFiles()), schema, context);
        RowRange range = id.range(TabletFile.bytes(state.getPreviousEndRow()));
        TabletView view = new TabletView(schema, new Memtable(), List.of(), files, state.getOldestReadableSequence());
        Tablet tablet = new Tablet(id, range, context, view);
        tablet.lastSequence = Math.max(state.getRedoPoint(), view.largestSequenceInFiles());
        tablet.readPoint = tablet.lastSequence;
        tablet.lastServerTimestamp = state.getLastServerTimestamp();
        return tablet;
    }

    public TabletId id() {
        return id;
    }

    /** For the messages that its users see: as in {@code table web: the tablet that ends with row com.example}. */
    public String subject() {
        return "table " + schema().name() + ": " + id.inWords();
    }

    /** The rows that are its own. */
    public RowRange range() {
        return range;
    }

    public TableSchema schema() {
        return view.schema();
    }

    /**
     * Takes a later schema; an earlier one changes nothing. Reads follow it at once, and all that is written to files from
     * then on follows its grouping, where memory is short once there is some; files of an earlier grouping serve until a
     * major compaction rewrites them. Any thread.
     */
    public void adopt(TableSchema later) {
        swap(now -> later.version() > now.schema().version() ? now.withSchema(later) : now);
    }

    TabletView view() {
        return view;
    }

    /** The latest version of the table's schema that one of its files was written with. */
    public long schemaVersionOfFiles() {
        return view.files().stream()
                .mapToLong(file -> file.properties().getSchemaVersion())
                .max()
                .orElse(0);
    }

    /** The highest sequence that is visible. */
    public long readPoint() {
        return readPoint;
    }

    /** The highest sequence that was applied, or is on disk: the next one must be above. Only the owner thread. */
    public long lastSequence() {
        owner.assertCurrent();
        return lastSequence;
    }

    /** Reads and compactions see no file of open writes. */
    private static List<FileReference> ofRows(List<FileReference> files) {
        return files.stream().filter(file -> !OpenWrites.isFile(file)).toList();
    }

    /** What METADATA has to name beside open writes, in the order of installation. */
    public List<FileReference> files() {
        return view.files().stream().map(TabletFile::reference).toList();
    }

    /** What its files keep in memory of their families and keys, however long nobody reads them. */
    public long propertiesBytes() {
        return view.files().stream().mapToLong(TabletFile::propertiesBytes).sum();
    }

    /** What its memtable holds of the heap. */
    public long memtableBytes() {
        return view.active().bytes();
    }

    /** What its frozen memtables hold of the heap; asked of every tablet at every batch of writes, so without a stream. */
    public long frozenBytes() {
        return frozenBytes(view);
    }

    private static long frozenBytes(TabletView view) {
        long bytes = 0;
        for (Memtable memtable : view.frozen()) {
            bytes += memtable.bytes();
        }
        return bytes;
    }

    /** What its memtables have that none of its files has. */
    public Foreseen foreseen() {
        return filesToCome.all(view);
    }

    /** What the mutation has that is new to the tablet. Only the owner thread. */
    public Foreseen newOf(RowMutation mutation) {
        owner.assertCurrent();
        return filesToCome.newOf(mutation, view);
    }

    /** The mutation is on its way to the memtable: what it has that is new to the tablet. Only the owner thread. */
    public Foreseen foresee(RowMutation mutation) {
        owner.assertCurrent();
        return filesToCome.foresee(mutation, view);
    }

    /** Whether all that was written to it is in files. */
    public boolean isInFiles() {
        return isInFiles(view);
    }

    private static boolean isInFiles(TabletView view) {
        return view.active().isEmpty() && view.frozen().isEmpty();
    }

    public Sizes sizes() {
        TabletView now = view;
        return new Sizes(
                now.active().bytes(),
                frozenBytes(now),
                now.files().stream()
                        .mapToLong(file -> file.reference().getBytes())
                        .sum(),
                now.files().size());
    }

    public Census census() {
        return Census.of(view, context.clock().micros());
    }

    /** Whether the memtable has grown so large that it should be frozen. */
    public boolean wantsMinorCompaction() {
        return view.active().bytes() >= context.config().flushBytes();
    }

    /** What the memtable holds, each change as a mutation of its own. Only the owner thread. */
    public List<ResolvedMutation> changes() throws BigtableException {
        owner.assertCurrent();
        return view.active().changes().next(Long.MAX_VALUE);
    }

    /** Whether nothing of it is here any more. */
    public boolean isClosed() {
        return closed;
    }

    /** Microseconds that no server gave to a write of this tablet before. Only the owner thread. */
    public long nextServerTimestamp(long nowMicros) {
        owner.assertCurrent();
        lastServerTimestamp = Math.max(nowMicros, lastServerTimestamp + 1);
        return lastServerTimestamp;
    }

    /** Takes a mutation that the log has, or that the log had. It is not visible before {@link #publish}. Only the owner thread. */
    public void apply(ResolvedMutation mutation) {
        owner.assertCurrent();
        checkState(range.contains(mutation.row()), "row %s is not in tablet %s", mutation.row(), id);
        TabletView now = view;
        now.active().begin(now.schema());
        now.active().apply(mutation);
        lastSequence = Math.max(lastSequence, mutation.lastSequence());
        lastServerTimestamp = Math.max(lastServerTimestamp, mutation.timestamp());
    }

    /** Makes visible, as a whole, all mutations up to this sequence. Only the owner thread. */
    public void publish(long sequence) {
        owner.assertCurrent();
        // Never above the tablet's own sequences, though the counter is the server's: another server that takes the
        // tablet
        // over begins above these alone, and a read that goes on there must not see what was written there.
        readPoint = Math.max(readPoint, Math.min(sequence, lastSequence));
    }

    /**
     * Whether the row may have changed above this sequence, visible or not; true also where only somebody who looks at files
     * could tell, for the owner thread does not: everybody's writes wait for it. Only the owner thread.
     */
    public boolean mayHaveChangedSince(long sequence, Bytes row) throws BigtableException {
        owner.assertCurrent();
        try (Reading reading = begin(Filter.ALL)) {
            // A compaction may have dropped the change itself, but none above the oldest readable sequence.
            if (reading.oldestReadable() > sequence) {
                return true;
            }
            for (Memtable memtable : reading.memtables()) {
                if (memtable.hasChangedSince(sequence, row)) {
                    return true;
                }
            }
            return reading.mayHaveChangedOnDisk(sequence, row);
        }
    }

    /** The same, where no write is open. */
    public Optional<Frozen> freeze() {
        return freeze(List.of());
    }

    /**
     * Stops writes to the memtable and gives it to be written, with the writes that are open; empty when nothing is in it,
     * and then what was open is in a file already. Only the owner thread.
     */
    public Optional<Frozen> freeze(List<OpenWrite> open) {
        owner.assertCurrent();
        TabletView before = view;
        if (before.active().isEmpty()) {
            return Optional.empty();
        }
        Memtable empty = new Memtable();
        swap(now -> now.withFrozen(empty));
        return Optional.of(new Frozen(before.active(), before.schema(), lastSequence, lastServerTimestamp, open));
    }

    /**
     * Opens what a compaction wrote. Before METADATA names it: were it not to be read, what it was written from would have
     * no other copy, and this tablet no next view.
     */
    public Prepared prepare(Compacted compacted) throws BigtableException {
        return new Prepared(compacted, TabletFile.openAll(ofRows(compacted.written()), view.schema(), context));
    }

    /**
     * Puts the files that a flush wrote, which METADATA names already, in the place of the memtable and of those that were
     * compacted with it.
     */
    public void install(Frozen frozen, Prepared flushed) {
        List<TabletFile> files = flushed.take();
        install(flushed.compacted(), now -> now.withFlushed(frozen.memtable(), flushed.compacted(), files));
    }

    /** Compactions of its files: what should be done, and the doing, but for {@link #install}. */
    public Compactions compactions() {
        return compactions;
    }

    /** Puts the files of a compaction, which METADATA names already, in the place of those that they were written from. */
    public void install(Prepared prepared) {
        Compacted compacted = prepared.compacted();
        List<TabletFile> files = prepared.take();
        install(compacted, now -> now.withCompacted(compacted.replaced(), files, compacted.oldestReadable()));
    }

    private void install(Compacted compacted, UnaryOperator<TabletView> change) {
        swap(change).filesOf(compacted.replaced()).forEach(TabletFile::release);
        if (closed) {
            // Closed meanwhile, perhaps before these files were there to be let go.
            close();
        }
    }

    /**
     * One page of the rows in the range, as far as this tablet reaches. UNAVAILABLE when the range does not begin in this
     * tablet, or when it is closed; REJECTED when the filter names what is not there.
     */
    public Page read(ReadSpec spec) throws BigtableException {
        return reads.page(spec, Optional.empty());
    }

    /** A page of several that are one question, of this thread. REJECTED where they take too much together. */
    public Page read(ReadSpec spec, Effort effort) throws BigtableException {
        return reads.page(spec, Optional.of(effort));
    }

    /** For a question that the calling thread has. */
    public Effort effort() {
        return reads.effort();
    }

    /** Whether a row cannot go on here: {@link #read} refuses it, and the row is to be read from its beginning. */
    public boolean isForgotten(Resume resume) {
        return reads.isForgotten(resume, view.oldestReadable());
    }

    /** What is published now, for as long as the caller reads. UNAVAILABLE when the tablet is closed. */
    Reading begin(Filter filter) throws BigtableException {
        return begin(filter, Shown.ALL);
    }

    /** The same of some families. */
    Reading begin(Filter filter, Shown shown) throws BigtableException {
        while (true) {
            TabletView now = shown.of(view);
            if (closed) {
                throw new UnavailableException(subject() + " is closed here: locate it again", NOT_APPLIED);
            }
            Projection projection = Projection.of(filter, now.schema(), shown);
            Optional<Reading> reading = Reading.begin(now, projection, FilterShape.times(filter));
            if (reading.isPresent()) {
                return reading.get();
            }
        }
    }

    /**
     * The row behind which about half of the bytes lie that are in files: where the tablet may be split. Empty where no row
     * leaves that share of the bytes on each side, and where nothing is in files.
     */
    public Optional<Bytes> middleRow(double leastShare) throws BigtableException {
        try (Reading reading = begin(Filter.ALL)) {
            return reading.weights().middle(range, leastShare);
        }
    }

    /** Of the bytes that are in files the share that lies up to the row, or behind it: where less does. */
    public double lesserShare(Bytes row) throws BigtableException {
        try (Reading reading = begin(Filter.ALL)) {
            RowWeights weights = reading.weights();
            long below = weights.upTo(row);
            return (double) Math.min(below, weights.total() - below) / Math.max(1, weights.total());
        }
    }

    /** Whether the tablet can be split behind the row: it holds it, and not as its last. */
    public boolean canSplitAt(Bytes row) {
        return RowWeights.isInside(row, range);
    }

    /**
     * Two tablets for its rows up to {@code row}, included, and for those after it. They share its files and know what it
     * knows: its sequences, its server's timestamps, what is readable. For a tablet that takes no more writes, UNAVAILABLE
     * while something of it is in memory alone; it goes on answering reads until it is closed. Only the owner thread, which
     * passes it on.
     */
    public Halves split(Bytes row) throws BigtableException {
        owner.assertCurrent();
        checkState(canSplitAt(row), "%s cannot be split at row %s", id, row);
        try (Reading reading = begin(Filter.ALL)) {
            TabletView now = reading.view();
            if (!isInFiles(now)) {
                throw new UnavailableException(id + " has changes that are in no file yet", NOT_APPLIED);
            }
            Division division = Division.of(range, row, now.files());
            TabletId lower = new TabletId(id.tableId(), Optional.of(row));
            return new Halves(
                    half(lower, division.lower(), now.withFiles(division.lowerFiles())),
                    half(id, division.upper(), now.withFiles(division.upperFiles())));
        } finally {
            owner.passOn();
        }
    }

    private Tablet half(TabletId halfId, RowRange rows, TabletView shown) {
        Tablet half = new Tablet(halfId, rows, context, shown);
        half.lastSequence = lastSequence;
        half.readPoint = readPoint;
        half.lastServerTimestamp = lastServerTimestamp;
        return half;
    }

    /** Publishes the next view; the one before. */
    private TabletView swap(UnaryOperator<TabletView> change) {
        swapping.lock();
        try {
            TabletView before = view;
            TabletView next = change.apply(before);
            view = next;
            if (!next.files().equals(before.files())
                    || next.schema().version() != before.schema().version()) {
                compactions.look(next);
            }
            return before;
        } finally {
            swapping.unlock();
        }
    }

    /** The owner gives the tablet to the next thread that calls one of its methods. */
    public void passOn() {
        owner.passOn();
    }

    /** Reads that have begun end in peace, others are UNAVAILABLE. What is only in memory is forgotten. */
    @Override
    public void close() {
        closed = true;
        swap(TabletView::withoutFiles).files().forEach(TabletFile::release);
    }
}
