package bt.sstable;

import bt.base.BigtableException;
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
    private final List<Block> roots;
    private final long expectedBytes;
    private final InMemoryShare share;
    private final AtomicReference<State> state = new AtomicReference<>(State.ON_DISK);
    private volatile BlocksByOffset loaded = BlocksByOffset.NONE;

    private volatile long loadedBytes;
    /** What the share had released when it last had no room. */
    private volatile long refusedAt = -1;

    InMemoryBlocks(BlockFile file, List<Block> roots, long expectedBytes, InMemoryShare share) {
        this.file = file;
        this.roots = List.copyOf(roots);
        this.expectedBytes = expectedBytes;
        this.share = share;
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

    /** Whoever closes the file has no reads of it under way. */
    void close() {
        if (state.getAndSet(State.CLOSED) == State.LOADED) {
            share.release(loadedBytes);
        }
        loaded = BlocksByOffset.NONE;
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
        private long bytes;
        /** Where the next block begins at the earliest: an index that names one again and again would not end. */
        private long least;

        /** False when the share has no room for it. */
        boolean loadAll() throws BigtableException {
            for (Block root : roots) {
                least = 0;
                BlockCursor inRoot = new BlockCursor(root);
                while (inRoot.next()) {
                    if (!loadUnder(new BlockCursor(file.block(inRoot.handle(file.end()))))) {
                        return false;
                    }
                }
            }
            return true;
        }

        private boolean loadUnder(BlockCursor leaf) throws BigtableException {
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
