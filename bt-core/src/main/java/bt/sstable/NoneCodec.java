package bt.sstable;

/** Bytes as they are. */
final class NoneCodec implements Codec {
    static final int NUMBER = 0;

    @Override
    public int number() {
        return NUMBER;
    }

    @Override
    public String name() {
        return "none";
    }

    @Override
    public int maxCompressedBytes(int length) {
        return length;
    }

    @Override
    public int compress(byte[] source, int length, byte[] target) {
        System.arraycopy(source, 0, target, 0, length);
        return length;
    }

    @Override
    public long maxUncompressedBytes(int size) {
        return size;
    }

    @Override
    public boolean decompress(byte[] source, int from, int size, byte[] target) {
        if (size != target.length) {
            return false;
        }
        System.arraycopy(source, from, target, 0, size);
        return true;
    }
}
