package bt.sstable;

import bt.base.Output;
import java.util.List;
import java.util.Optional;

/** Compresses every block by itself. */
record PlainEncoder(Codec codec) implements FileEncoder {
    @Override
    public int number() {
        return codec.number();
    }

    @Override
    public int maxCompressedBytes(int length) {
        return codec.maxCompressedBytes(length);
    }

    @Override
    public int compress(byte[] source, int length, byte[] target) {
        return codec.compress(source, length, target);
    }

    @Override
    public int sampleBytes() {
        return 0;
    }

    @Override
    public void learn(List<byte[]> blocks) {}

    @Override
    public Optional<Output> dictionary() {
        return Optional.empty();
    }
}
