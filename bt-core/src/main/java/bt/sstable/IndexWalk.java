package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;

/**
 * The data blocks of one run, by its index alone: each has a key that is not below what is in it, and below what is in the
 * next, and the bytes that it takes on disk. One thread.
 */
public final class IndexWalk {
    private final BlockSource file;
    private final BlockCursor root;
    private final BlockCursor leaf;
    private final Slice key = new Slice();
    private boolean isInLeaf;
    private long bytes;

    IndexWalk(BlockSource file, Block root) {
        this.file = file;
        this.root = new BlockCursor(root);
        this.leaf = new BlockCursor(root);
    }

    /** Goes to the block that an entry of this key would be in. False: it would come after the last. */
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        isInLeaf = root.seek(atOrAfter);
        if (!isInLeaf) {
            return false;
        }
        enterLeaf();
        return root.seekIn(leaf, atOrAfter) && arrive();
    }

    /** Goes to the next block, at first to the first. False: there is none. */
    public boolean next() throws BigtableException {
        while (!isInLeaf || !leaf.next()) {
            isInLeaf = root.next();
            if (!isInLeaf) {
                return false;
            }
            enterLeaf();
        }
        return arrive();
    }

    /** Shown until the next move. */
    public Slice key() {
        leaf.showKey(key);
        return key;
    }

    /** On disk, compressed. */
    public long bytes() {
        return bytes;
    }

    private void enterLeaf() throws BigtableException {
        leaf.enter(file.block(root.handle(file.end())));
    }

    private boolean arrive() throws BigtableException {
        bytes = leaf.handle(file.end()).size();
        return true;
    }
}
