package bt.sstable;

import bt.base.Slice;

/** Which prefix of a key its file's Bloom filter holds. Equal prefixes of an ascending run of keys follow one another. */
@FunctionalInterface
public interface FilterKey {
    /** A length from 0 to the key's. */
    int length(Slice key);
}
