package bt.sstable;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4's block format. The safe decompressor: the fast one believes the input. */
final class Lz4Codec implements Codec {
    /** A byte of a match's length stands for at most 255 bytes. */
    private static final int MAX_RATIO = 255;

    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();

    @Override
    public int number() {
        return 1;
    }

    @Override
    public String name() {
        return "lz4";
    }

    @Override
    public int maxCompressedBytes(int length) {
        return compressor.maxCompressedLength(length);
    }

    @Override
    public int compress(byte[] source, int length, byte[] target) {
        return compressor.compress(source, 0, length, target, 0);
    }

    @Override
    public long maxUncompressedBytes(int size) {
        return (long) size * MAX_RATIO;
    }

    @Override
    public boolean decompress(byte[] source, int from, int size, byte[] target) {
        try {
            return decompressor.decompress(source, from, size, target, 0, target.length) == target.length;
        } catch (LZ4Exception damaged) {
            return false;
        }
    }
}
