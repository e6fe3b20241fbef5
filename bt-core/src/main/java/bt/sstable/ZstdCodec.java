package bt.sstable;

import static bt.base.Check.checkState;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;

/** Zstandard frames. */
final class ZstdCodec implements Codec {
    static final int LEVEL = 3;
    /** A block of one repeated byte: 4 bytes stand for 128 KiB. */
    static final int MAX_RATIO = 32 << 10;

    @Override
    public int number() {
        return 2;
    }

    @Override
    public String name() {
        return "zstd";
    }

    @Override
    public int maxCompressedBytes(int length) {
        return Math.toIntExact(Zstd.compressBound(length));
    }

    @Override
    public int compress(byte[] source, int length, byte[] target) {
        long size = Zstd.compressByteArray(target, 0, target.length, source, 0, length, LEVEL);
        checkState(!Zstd.isError(size), "zstd cannot compress %d bytes: error %d", length, size);
        return (int) size;
    }

    @Override
    public long maxUncompressedBytes(int size) {
        return (long) size * MAX_RATIO;
    }

    @Override
    public boolean decompress(byte[] source, int from, int size, byte[] target) {
        try {
            return Zstd.decompressByteArray(target, 0, target.length, source, from, size) == target.length;
        } catch (ZstdException damaged) {
            return false;
        }
    }
}
