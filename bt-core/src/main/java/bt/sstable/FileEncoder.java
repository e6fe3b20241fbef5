package bt.sstable;

import bt.base.Output;
import java.util.List;
import java.util.Optional;

/** What compresses the blocks of one new file, in their order. One thread. */
interface FileEncoder extends BlockEncoder {
    /** So many bytes of blocks it must see before it compresses the first; 0 when it needs none. */
    int sampleBytes();

    /** The first blocks of the file, fewer than {@link #sampleBytes} where the file has no more. Called once at most. */
    void learn(List<byte[]> blocks);

    /** What a reader needs for the blocks compressed so far. */
    Optional<Output> dictionary();
}
