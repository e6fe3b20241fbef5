package bt.sstable;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The data blocks of one run on their way to the file and into the index. The first ones wait in memory until the encoder has
 * learnt from them, where it must. A block goes into the index once the key that comes after it is known.
 */
final class DataBlocks {
    private final BlockWriter out;
    private final FileEncoder encoder;
    private final IndexWriter index;
    private final List<byte[]> waiting = new ArrayList<>();
    /** Of the blocks that wait; the last may have none yet. */
    private final List<Bytes> separators = new ArrayList<>();

    private long waitingBytes;
    private boolean hasLearnt;
    private Optional<BlockHandle> unindexed = Optional.empty();

    DataBlocks(BlockWriter out, FileEncoder encoder, IndexWriter index) {
        this.out = out;
        this.encoder = encoder;
        this.index = index;
        this.hasLearnt = encoder.sampleBytes() == 0;
    }

    boolean needsSeparator() {
        return unindexed.isPresent() || waiting.size() > separators.size();
    }

    /** A key not below the last of the block added last, and below the next. */
    void separate(Bytes separator) {
        if (hasLearnt) {
            index.add(separator, unindexed.orElseThrow());
            unindexed = Optional.empty();
        } else {
            separators.add(separator);
        }
    }

    void add(Output block) throws BigtableException {
        checkState(!needsSeparator(), "a block before the one before it is told apart");
        if (hasLearnt) {
            unindexed = Optional.of(out.write(block, encoder));
            return;
        }
        waiting.add(block.toArray());
        waitingBytes += block.size();
        if (waitingBytes >= encoder.sampleBytes()) {
            release();
        }
    }

    /** Writes the blocks that wait. */
    void release() throws BigtableException {
        if (hasLearnt) {
            return;
        }
        encoder.learn(waiting);
        hasLearnt = true;
        for (int i = 0; i < waiting.size(); i++) {
            byte[] block = waiting.get(i);
            unindexed = Optional.of(out.write(new Output(block.length).raw(block), encoder));
            if (i < separators.size()) {
                separate(separators.get(i));
            }
        }
        waiting.clear();
        separators.clear();
        waitingBytes = 0;
    }

    /** Of the blocks that wait, uncompressed. */
    long waitingBytes() {
        return waitingBytes;
    }
}
