package bt.sstable;

import bt.base.BigtableException;
import bt.sstable.RowPlaces.Landing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The blocks of a file of an in-memory locality group (section 6 of the paper): all of them, decompressed, from its first
 * read on. That read loads them; what comes meanwhile reads as of any other file, and so does everything where the share
 * has no room. Any thread.
 */
final class InMemoryBlocks implements BlockSource {
    private final BlockFile file;
    private final Block cells;
    private final Block deletions;
    private final long expectedBytes;
    private final InMemoryShare share;
    private final FilterKey rowOf;
    private final AtomicReference<State> state = new AtomicReference<>(State.ON_DISK);
    private volatile BlocksByOffset loaded = BlocksByOffset.NONE;
    private volatile RowPlaces rows = RowPlaces.NONE;

    private volatile long loadedBytes;
    /** What the share had released when it last had no room. */
    private volatile long refusedAt = -1;

    /** With the roots of both indexes. */
    InMemoryBlocks(BlockFile file, Block cells, Block deletions, long expectedBytes, InMemoryPlace place) {
        this.file = file;
        this.cells = cells;
        this.deletions = deletions;
        this.expectedBytes = expectedBytes;
        this.share = place.share();
        this.rowOf = place.rowOf();
    }

    private enum State {
        ON_DISK,
        LOADING,
        LOADED,
        CLOSED
    }

    boolean isLoaded() {
        return state.get() == State.LOADED;
    }

    /** False: it is not in memory, and cannot be for now. */
    boolean mayServe() {
        return state.get() == State.LOADED || refusedAt != share.releases();
    }

    @Override
    public String path() {
        return file.path();
    }

    @Override
    public long end() {
        return file.end();
    }

    @Override
    public Block block(BlockHandle handle) throws BigtableException {
        if (state.get() == State.ON_DISK && mayServe() && state.compareAndSet(State.ON_DISK, State.LOADING)) {
            load();
        }
        if (!file.isInTail(handle)) {
            Optional<Block> block = loaded.find(handle.offset());
            if (block.isPresent()) {
                return block.get();
            }
        }
        return file.block(handle);
    }

    @Override
    public Landing goToRow(FilterHash row, BlockCursor cursor) throws BigtableException {
        return rows.enter(row, cursor);
    }

    /** Whoever closes the file has no reads of it under way. */
    void close() {
        if (state.getAndSet(State.CLOSED) == State.LOADED) {
            share.release(loadedBytes);
        }
        loaded = BlocksByOffset.NONE;
        rows = RowPlaces.NONE;
    }

    private void load() throws BigtableException {
        Loading loading = new Loading();
        boolean complete = false;
        try {
            complete = share.hasRoomFor(expectedBytes) && loading.loadAll();
            if (complete) {
                share.loaded();
            } else {
                share.refuse();
            }
        } finally {
            finish(loading, complete);
        }
        if (!complete) {
            // After what the attempt itself gave back: only what others give back is a reason to try again.
            refusedAt = share.releases();
        }
    }

    private void finish(Loading loading, boolean complete) {
        if (complete) {
            loaded = new BlocksByOffset(loading.blocks);
            rows = loading.rows;
            loadedBytes = loading.bytes;
        }
        boolean closed = !state.compareAndSet(State.LOADING, complete ? State.LOADED : State.ON_DISK);
        if (closed || !complete) {
            share.release(loading.bytes);
        }
    }

    /** What one load has gathered. */
    private final class Loading {
        private final List<Block> blocks = new ArrayList<>();
        private final SequentialBlocks source = new SequentialBlocks(file, Access.COMPACTION);
        private RowPlaces rows = RowPlaces.NONE;
        private long bytes;
        /** Where the next block begins at the earliest: an index that names one again and again would not end. */
        private long least;

        /** False when the share has no room for it. */
        boolean loadAll() throws BigtableException {
            if (!loadUnder(cells)) {
                return false;
            }
            List<Block> ofCells = List.copyOf(blocks);
            if (!loadUnder(deletions)) {
                return false;
            }
            // They make look-ups faster: without them it is as much in memory.
            rows = RowPlaces.of(ofCells, rowOf, share);
            bytes += rows.bytes();
            return true;
        }

        private boolean loadUnder(Block root) throws BigtableException {
            least = 0;
            BlockCursor inRoot = new BlockCursor(root);
            while (inRoot.next()) {
                if (!loadLeaf(new BlockCursor(file.block(inRoot.handle(file.end()))))) {
                    return false;
                }
            }
            return true;
        }

        private boolean loadLeaf(BlockCursor leaf) throws BigtableException {
            while (leaf.next()) {
                BlockHandle handle = leaf.handle(file.end());
                if (handle.offset() < least) {
                    throw leaf.corrupt("a block at " + handle.offset() + ", the one before it ends at " + least);
                }
                least = handle.end();
                if (!file.isInTail(handle)) {
                    Block block = source.block(handle);
                    if (!share.take(block.bytes())) {
                        return false;
                    }
                    bytes += block.bytes();
                    blocks.add(block);
                }
            }
            return true;
        }
    }
}
