package bt.sstable;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Slice;

/**
 * The root of an index as it is kept while its file is open: of the last key, where that is long, the beginning, for a key may have 257 KiB, and a server
 * very many files. What comes behind the root's last but one key is in the last leaf, which has the key itself, or nowhere: so it need
 * only be above that one. Other keys are as long as they are; a root is so many times smaller than its leaves
 * ({@link IndexWriter}), which are no larger than what they lead to.
 */
final class KeptRoot {
    private KeptRoot() {}

    /** The root itself where its last key is not long. */
    static Block of(Block root) throws CorruptionException {
        BlockCursor end = new BlockCursor(root);
        return end.last() && key(end).length() > KeySpan.KEPT_BYTES ? cut(root) : root;
    }

    private static Block cut(Block root) throws CorruptionException {
        BlockBuilder kept = new BlockBuilder(1, root.payloadBytes());
        BlockCursor from = new BlockCursor(root);
        Slice value = new Slice();
        Bytes before = Bytes.EMPTY;
        boolean more = from.next();
        while (more) {
            Bytes key = key(from);
            from.showValue(value);
            more = from.next();
            kept.add(Slice.of(more ? key : beginning(key, before)), value);
            before = key;
        }
        byte[] payload = kept.finish().toArray();
        return Block.decode(root.path, root.offset, new Payload(payload, 0, payload.length))
                .openEnded();
    }

    private static Bytes beginning(Bytes key, Bytes before) {
        int kept = Math.max(KeySpan.KEPT_BYTES, before.sharedLength(key) + 1);
        return key.slice(0, Math.min(kept, key.length()));
    }

    private static Bytes key(BlockCursor cursor) {
        Slice key = new Slice();
        cursor.showKey(key);
        return key.toBytes();
    }
}
