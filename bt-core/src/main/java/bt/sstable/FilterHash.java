package bt.sstable;

import bt.base.Bytes;
import bt.base.Slice;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/** What a Bloom filter knows of a key: its XXH64 with seed 0. Computed once for all the files that are asked. */
public record FilterHash(long value) {
    private static final XXHash64 XXH64 = XXHashFactory.safeInstance().hash64();

    public static FilterHash of(Bytes filterKey) {
        Slice key = Slice.of(filterKey);
        return new FilterHash(XXH64.hash(key.array(), key.from(), key.length(), 0));
    }

    /** Of the first bytes of the array. */
    public static FilterHash ofFirst(byte[] array, int length) {
        return new FilterHash(of(array, length));
    }

    static long of(byte[] key, int length) {
        return XXH64.hash(key, 0, length, 0);
    }
}
