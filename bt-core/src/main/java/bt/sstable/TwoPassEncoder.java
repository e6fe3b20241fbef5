package bt.sstable;

import static bt.base.Check.checkState;

import bt.base.Output;
import com.github.luben.zstd.Zstd;
import java.util.List;
import java.util.Optional;

/**
 * Compresses the blocks of one file in two passes; see {@link TwoPassCodec}. Takes up to 5 MiB of memory meanwhile, and a
 * few times the largest block.
 */
final class TwoPassEncoder implements FileEncoder {
    /** The first pass has taken what a higher level would look for. */
    private static final int LEVEL = 1;

    private static final int MAX_VARINT_BYTES = 5;

    private final FirstPass firstPass = new FirstPass();
    private final Output passed = new Output(128 << 10);

    @Override
    public int sampleBytes() {
        return 0;
    }

    @Override
    public void learn(List<byte[]> blocks) {}

    @Override
    public int number() {
        return TwoPassCodec.NUMBER;
    }

    @Override
    public int maxCompressedBytes(int length) {
        return Math.toIntExact(MAX_VARINT_BYTES + Zstd.compressBound(length + (long) TwoPassCodec.MAX_EXTRA_BYTES));
    }

    @Override
    public int compress(byte[] source, int length, byte[] target) {
        passed.clear();
        firstPass.compress(source, length, passed);
        Output head = new Output(MAX_VARINT_BYTES).varint(passed.size());
        System.arraycopy(head.array(), 0, target, 0, head.size());
        long size = Zstd.compressByteArray(
                target, head.size(), target.length - head.size(), passed.array(), 0, passed.size(), LEVEL);
        checkState(!Zstd.isError(size), "zstd cannot compress %d bytes: error %d", passed.size(), size);
        return head.size() + (int) size;
    }

    /** Also where it is empty: the blocks say that they need it. */
    @Override
    public Optional<Output> dictionary() {
        return Optional.of(firstPass.dictionary());
    }
}
