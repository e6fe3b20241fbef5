package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.fs.FileStore;
import bt.record.SSTableProperties;
import java.util.Optional;

/**
 * An immutable, sorted file of entries (section 4 of the paper). Opening reads its tail; after that an entry is found with
 * one read at most. Any thread; every cursor belongs to one. After {@link #close}, whatever still has to read the file is
 * UNAVAILABLE.
 */
public final class SSTable implements AutoCloseable {
    /** Of both indexes: what is counted for the reader of any file has room for them. */
    private static final int USUAL_ROOTS_BYTES = 1 << 10;

    private final BlockFile file;
    private final KeptProperties properties;
    private final Block cells;
    private final Block deletions;
    private final Filters filters;
    private final Optional<InMemoryBlocks> inMemory;

    private SSTable(BlockFile file, Optional<InMemoryPlace> place) throws BigtableException {
        this.file = file;
        Sections sections = file.sections();
        // First: what else the file uses may be beyond us.
        SSTableProperties read = properties(file, sections);
        cells = file.root(sections.need(file.sectionTable(), Sections.CELLS));
        deletions = file.root(sections.need(file.sectionTable(), Sections.DELETIONS));
        // Other files open and close meanwhile: asked once.
        boolean keepsTail = file.isWithinShare()
                || place.filter(has -> file.holdTailIn(has.share())).isPresent();
        filters = Filters.read(file, sections, keepsTail);
        long entryBytes = read.getKeyBytes() + read.getValueBytes();
        if (!keepsTail) {
            file.shedTail();
        }
        properties = KeptProperties.of(read);
        inMemory = place.map(has -> new InMemoryBlocks(file, cells, deletions, entryBytes, has));
    }

    private static SSTableProperties properties(BlockFile file, Sections sections) throws BigtableException {
        BlockHandle at = sections.need(file.sectionTable(), Sections.PROPERTIES);
        return PropertiesCodec.decode(file.path(), at.offset(), file.read(at));
    }

    public static SSTable open(FileStore store, String path, BlockCache cache) throws BigtableException {
        return open(store, path, cache, Optional.empty(), Tail.MAX_BYTES);
    }

    /**
     * A file of an in-memory locality group: its first read loads all of it, as far as the share has room. What of a key is
     * its row is known by {@code rowOf}, as the writer knew it.
     */
    public static SSTable openInMemory(FileStore store, String path, Caches caches, FilterKey rowOf)
            throws BigtableException {
        InMemoryPlace place = new InMemoryPlace(caches.inMemory(), rowOf);
        return open(store, path, caches.blocks(), Optional.of(place), Tail.MAX_BYTES);
    }

    static SSTable open(FileStore store, String path, BlockCache cache, Optional<InMemoryPlace> place, int maxTailBytes)
            throws BigtableException {
        BlockFile file = BlockFile.open(store.open(path), cache, maxTailBytes);
        try {
            return new SSTable(file, place);
        } catch (BigtableException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    public String path() {
        return file.path();
    }

    /** What its writer told, but for families and ages, for which {@link #ofFamilies} is to be asked, and for {@link #keys}. */
    public SSTableProperties properties() {
        return properties.properties();
    }

    /** Families and ages of what its writer told, and nothing else: decoded each time, where there are many. */
    public SSTableProperties ofFamilies() {
        return properties.ofFamilies();
    }

    /** Between which keys its entries and deletions lie, about. */
    public KeySpan keys() {
        return properties.keys();
    }

    /** All that its writer told, which is not kept: read again from the file. */
    public SSTableProperties readProperties() throws BigtableException {
        return properties(file, file.sections());
    }

    /** How much of the heap its properties take while it is open: of keys and of families; and roots that are longer than most. */
    public long propertiesBytes() {
        long roots = (long) cells.bytes() + deletions.bytes();
        return properties.bytes() + Math.max(0, roots - USUAL_ROOTS_BYTES);
    }

    /** All entries but row and family deletions, to look some up. */
    public Cursor cursor() {
        return cursor(Access.LOOK_UP);
    }

    /** All entries but row and family deletions. */
    public Cursor cursor(Access access) {
        return new RunCursor().enter(source(access), cells);
    }

    /** Row and family deletions, to look some up. */
    public Cursor deletions() {
        return deletions(Access.LOOK_UP);
    }

    /** Row and family deletions. */
    public Cursor deletions(Access access) {
        return new RunCursor().enter(source(access), deletions);
    }

    Cursor cellsBy(SpareCursors spares, Bytes prefix, FilterHash row) {
        return spares.run(source(Access.LOOK_UP), cells, prefix, row);
    }

    Cursor deletionsBy(SpareCursors spares, Bytes prefix) {
        return spares.run(source(Access.LOOK_UP), deletions, prefix, null);
    }

    /** How the bytes of its entries lie along the keys. */
    public IndexWalk index() {
        return new IndexWalk(file, cells);
    }

    /**
     * How much of the heap it takes while it is open, beside what the cache has of it, and the share of in-memory groups: index,
     * filters, dictionary.
     */
    public long memoryBytes() {
        return file.memoryBytes();
    }

    /** False when no entry and no deletion has this row for its filter key: the file need not be read. */
    public boolean mayContain(FilterHash row) throws BigtableException {
        return filters.passRow(row);
    }

    /** False when no entry has this row and column; what deletes the row or the family may be in the file all the same. */
    public boolean mayContainColumn(FilterHash column) throws BigtableException {
        return filters.passColumn(column);
    }

    /** Whether there is any deletion of a row or a family. */
    public boolean hasDeletions() {
        return !deletions.isEmpty();
    }

    /** False when no deletion of a row or a family has this row. */
    public boolean mayDelete(FilterHash row) throws BigtableException {
        return !deletions.isEmpty() && filters.passDeletion(row);
    }

    /** True once all of its blocks are. */
    boolean isInMemory() {
        return inMemory.isPresent() && inMemory.get().isLoaded();
    }

    @Override
    public void close() {
        file.close();
        inMemory.ifPresent(InMemoryBlocks::close);
    }

    private BlockSource source(Access access) {
        if (inMemory.isPresent()
                && access != Access.COMPACTION
                && inMemory.get().mayServe()) {
            return inMemory.get();
        }
        return access == Access.LOOK_UP ? file : new SequentialBlocks(file, access);
    }
}
