package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import bt.sstable.Access;
import bt.sstable.Caches;
import bt.sstable.Cursor;
import bt.sstable.FilterHash;
import bt.sstable.KeySpan;
import bt.sstable.SSTable;
import bt.sstable.ScanCache;
import bt.sstable.SpareCursors;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An SSTable of a tablet as its reference shows it. It is open while somebody uses it: the tablet until it lets it go, and
 * each read for as long as it lasts. Any thread.
 */
final class TabletFile {
    private final FileReference reference;
    private final SharedTable shared;
    private final SSTable table;
    private final ScanCache scans;
    private final RowRange clip;
    /** The sequence that stands for all of its own. */
    private final Optional<Long> override;
    /** Of its puts and of what is hidden by it, as its writer told; all there are where it did not. */
    private final TimeSpan times;

    private final AtomicInteger users = new AtomicInteger(1);

    private TabletFile(FileReference reference, SharedTable shared, ScanCache scans) {
        this.reference = reference;
        this.shared = shared;
        this.table = shared.table();
        this.scans = scans;
        this.clip = clipOf(reference);
        this.override = Optional.ofNullable(reference.getSequenceOverride());
        this.times = times(table.properties());
    }

    /** Used by the caller, who has to {@link #release} it. */
    static TabletFile open(FileReference reference, TableSchema schema, TabletContext context)
            throws BigtableException {
        Caches caches = context.caches().of(schema.id());
        String path = reference.getPath();
        SSTable table = isInMemory(reference, schema)
                ? SSTable.openInMemory(context.files(), path, caches, CellKey::rowPrefixLength)
                : SSTable.open(context.files(), path, caches.blocks());
        return new TabletFile(reference, new SharedTable(table), caches.scans());
    }

    /** The same file as another reference to it shows it. Used by the caller, whoever else closes theirs. */
    TabletFile as(FileReference other) {
        return new TabletFile(other, shared.hold(), scans);
    }

    /** By the families in it: the groups may have changed since it was written. */
    private static boolean isInMemory(FileReference reference, TableSchema schema) {
        return reference.getFamilies().stream()
                .flatMap(id -> schema.family(id).stream())
                .anyMatch(family -> schema.group(family.localityGroup()).inMemory());
    }

    /** All of them, or none. */
    static List<TabletFile> openAll(List<FileReference> references, TableSchema schema, TabletContext context)
            throws BigtableException {
        List<TabletFile> files = new ArrayList<>();
        try {
            for (FileReference reference : references) {
                files.add(open(reference, schema, context));
            }
            return files;
        } catch (BigtableException | RuntimeException e) {
            files.forEach(TabletFile::release);
            throw e;
        }
    }

    /** Rows from clip start, included, to clip end, excluded. */
    static RowRange clipOf(FileReference reference) {
        return new RowRange(bytes(reference.getClipStart()).orElse(Bytes.EMPTY), bytes(reference.getClipEnd()));
    }

    static Optional<Bytes> bytes(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return Optional.empty();
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return Optional.of(Bytes.wrap(bytes));
    }

    FileReference reference() {
        return reference;
    }

    SSTableProperties properties() {
        return table.properties();
    }

    /** See {@link SSTable#ofFamilies}. */
    SSTableProperties ofFamilies() {
        return table.ofFamilies();
    }

    /** See {@link SSTable#propertiesBytes}. */
    long propertiesBytes() {
        return table.propertiesBytes();
    }

    FileFacts facts() {
        return facts(ofFamilies());
    }

    /** By what was asked for of its families. */
    FileFacts facts(SSTableProperties ofFamilies) {
        SSTableProperties properties = table.properties();
        return new FileFacts(
                reference,
                properties.getEntries(),
                Math.max(0, properties.getDeletions()),
                properties.getWrittenMicros(),
                ofFamilies.getAges(),
                mayHaveOthersRows());
    }

    /**
     * Which the clip hides, as after a split. What is rewritten for it without need is so once: the file that a compaction
     * writes has no clip.
     */
    private boolean mayHaveOthersRows() {
        KeySpan keys = table.keys();
        return (!clip.start().isEmpty() && keys.mayBeginBelow(CellKey.rowPrefix(clip.start())))
                || clip.end().map(CellKey::rowPrefix).filter(keys::mayReach).isPresent();
    }

    /** False when it is certain that no deletion of versions is in it. */
    boolean mayDeleteVersions() {
        return table.properties().getVersionDeletions() != 0;
    }

    /** The highest sequence that a reader may find in it. */
    long largestSequence() {
        return override.orElse(reference.getLargestSequence());
    }

    /** The ids of those that it may hold. */
    List<Integer> families() {
        return reference.getFamilies();
    }

    boolean holdsAnyOf(Projection projection) {
        List<Integer> held = families();
        // By number: every read asks every file, and an iterator is an object.
        for (int i = 0; i < held.size(); i++) {
            if (projection.wants(held.get(i))) {
                return true;
            }
        }
        return false;
    }

    /**
     * False when nothing in it matters to a read of versions from these times alone. What is older than all of them hides
     * none, and counts against none for a limit of versions; what is newer counts, where there is such a limit.
     */
    boolean matters(TimeSpan wanted, TableSchema schema) {
        return times.newest() >= wanted.oldest() && (times.oldest() <= wanted.newest() || countsVersions(schema));
    }

    private boolean countsVersions(TableSchema schema) {
        for (int id : families()) {
            Optional<FamilySchema> family = schema.family(id);
            if (family.isPresent() && Garbage.counts(family.get().garbage())) {
                return true;
            }
        }
        return false;
    }

    private static TimeSpan times(SSTableProperties properties) {
        Long smallest = properties.getSmallestTimestamp();
        Long largest = properties.getLargestTimestamp();
        return smallest == null || largest == null ? TimeSpan.ALL : new TimeSpan(smallest, largest);
    }

    /** Whether the row is one of those that it is here for. */
    boolean shows(Bytes row) {
        return clip.contains(row);
    }

    /** False when nothing of the row, whose hash it is, is in it. */
    boolean mayContain(Bytes row, FilterHash rowHash) throws BigtableException {
        return shows(row) && table.mayContain(rowHash);
    }

    /** False when no cell of the row's column is in it. */
    boolean mayContainColumn(FilterHash columnHash) throws BigtableException {
        return table.mayContainColumn(columnHash);
    }

    /** False when no deletion of the row, or of one of its families, is in it. */
    boolean mayDelete(FilterHash rowHash) throws BigtableException {
        return table.mayDelete(rowHash);
    }

    /**
     * Its cells whose keys begin with the prefix, with the hashes of that and of the row, which is one of its clip; a reader
     * goes no further.
     */
    Cursor cellsOf(Bytes prefix, FilterHash hash, FilterHash row, SpareCursors spares) throws BigtableException {
        return lookedUp(scans.cursor(table, prefix, hash, row, spares));
    }

    /** Its deletions of the row and of its families; the row, whose prefix it is, lies in its clip. */
    Cursor deletions(Bytes rowPrefix, SpareCursors spares) {
        return lookedUp(spares.deletions(table, rowPrefix));
    }

    Cursor cells(Access access) {
        return clipped(table.cursor(access));
    }

    /** Whether it has any deletion of a row or of a family. */
    boolean hasDeletions() {
        return table.hasDeletions();
    }

    /** Its deletions of rows and families. */
    Cursor deletions(Access access) {
        return clipped(table.deletions(access));
    }

    private Cursor clipped(Cursor cursor) {
        return clip.equals(RowRange.ALL) ? lookedUp(cursor) : new ClippedCursor(cursor, clip, override);
    }

    private Cursor lookedUp(Cursor cursor) {
        return override.isEmpty() ? cursor : new ClippedCursor(cursor, clip, override);
    }

    /** Whether a row of its own may be in this range. */
    boolean reaches(RowRange rows) {
        RowRange shown = clip.intersect(rows);
        KeySpan keys = table.keys();
        return !shown.isEmpty()
                && (shown.start().isEmpty() || keys.mayReach(CellKey.rowPrefix(shown.start())))
                && (shown.end().isEmpty()
                        || keys.mayBeginBelow(CellKey.rowPrefix(shown.end().get())));
    }

    /** See {@link RowWeights#of}. */
    RowWeights weights() throws BigtableException {
        return RowWeights.of(table, clip);
    }

    /** False when it is closed already: whoever had it from a view takes the next view. */
    boolean use() {
        int before;
        do {
            before = users.get();
        } while (before > 0 && !users.compareAndSet(before, before + 1));
        return before > 0;
    }

    void release() {
        int left = users.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException(reference.getPath() + " is released more often than used");
        }
        if (left == 0) {
            shared.release();
        }
    }
}
