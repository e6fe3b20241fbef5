package bt.sstable;

import static bt.base.Check.checkState;

import bt.base.Output;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDictCompress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Trains the dictionary from the first 4 MiB of the file. A file with less than 128 KiB gets none: there, a dictionary costs
 * more than it saves.
 */
final class ZstdDictionaryEncoder implements FileEncoder {
    /** Training takes 30 ms a MiB; four times as much saved a hundredth of a crawl's bytes. */
    static final int SAMPLE_BYTES = 4 << 20;

    static final int MIN_SAMPLE_BYTES = 128 << 10;
    private static final int SAMPLE_BYTES_PER_BYTE = 32;
    private static final int SLICE_BYTES = 16 << 10;

    private final ZstdCodec withoutDictionary;
    private byte[] dictionary = {};
    private @Nullable ZstdDictCompress digested;

    ZstdDictionaryEncoder(ZstdCodec withoutDictionary) {
        this.withoutDictionary = withoutDictionary;
    }

    @Override
    public int sampleBytes() {
        return SAMPLE_BYTES;
    }

    @Override
    public void learn(List<byte[]> blocks) {
        List<byte[]> slices = slices(blocks);
        long sampleBytes = slices.stream().mapToLong(slice -> slice.length).sum();
        if (sampleBytes < MIN_SAMPLE_BYTES) {
            return;
        }
        byte[] trained =
                new byte[(int) Math.min(sampleBytes / SAMPLE_BYTES_PER_BYTE, ZstdDictionaryCodec.MAX_DICTIONARY_BYTES)];
        long size = Zstd.trainFromBuffer(slices.toArray(byte[][]::new), trained, false, ZstdCodec.LEVEL);
        // An error says that the samples have nothing in common.
        if (!Zstd.isError(size)) {
            dictionary = Arrays.copyOf(trained, (int) size);
            digested = new ZstdDictCompress(dictionary, ZstdCodec.LEVEL);
        }
    }

    @Override
    public int number() {
        return digested == null ? withoutDictionary.number() : ZstdDictionaryCodec.NUMBER;
    }

    @Override
    public int maxCompressedBytes(int length) {
        return withoutDictionary.maxCompressedBytes(length);
    }

    @Override
    public int compress(byte[] source, int length, byte[] target) {
        if (digested == null) {
            return withoutDictionary.compress(source, length, target);
        }
        long size = Zstd.compressFastDict(target, 0, source, 0, length, digested);
        checkState(!Zstd.isError(size), "zstd cannot compress %d bytes: error %d", length, size);
        return (int) size;
    }

    @Override
    public Optional<Output> dictionary() {
        return digested == null ? Optional.empty() : Optional.of(new Output(dictionary.length).raw(dictionary));
    }

    /** Samples of one size, whatever the blocks', and no more in all than was asked for. */
    private static List<byte[]> slices(List<byte[]> blocks) {
        List<byte[]> slices = new ArrayList<>();
        int total = 0;
        for (byte[] block : blocks) {
            for (int at = 0; at < block.length && total < SAMPLE_BYTES; at += SLICE_BYTES) {
                byte[] slice = Arrays.copyOfRange(block, at, Math.min(block.length, at + SLICE_BYTES));
                slices.add(slice);
                total += slice.length;
            }
        }
        return slices;
    }
}
