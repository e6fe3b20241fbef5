package bt.tablet;

import bt.fs.LocalBlocks;
import bt.model.TableSchema;
import bt.sstable.CacheSizes;
import bt.sstable.Caches;

/** The caches of a server: METADATA's tablets have their own, so that no read of others evicts what all look-ups need. */
public record TabletCaches(Caches users, Caches metadata) {
    public static TabletCaches of(CacheSizes users, CacheSizes metadata) {
        return of(users, metadata, LocalBlocks.NONE);
    }

    /** Blocks of users' tables are copied to the disk of this machine, too. */
    public static TabletCaches of(CacheSizes users, CacheSizes metadata, LocalBlocks local) {
        return new TabletCaches(Caches.of(users, local), Caches.of(metadata));
    }

    public Caches of(long tableId) {
        return tableId == TableSchema.METADATA_ID ? metadata : users;
    }
}
