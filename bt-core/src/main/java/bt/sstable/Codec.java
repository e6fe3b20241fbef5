package bt.sstable;

import static bt.base.Check.checkArgument;

import java.util.List;
import java.util.Optional;

/** How a block is compressed. Numbers are on disk and never change; 3 and 4 are kept for zstd-dict and two-pass. */
interface Codec {
    Codec NONE = new NoneCodec();
    List<Codec> ALL = List.of(NONE, new Lz4Codec(), new ZstdCodec());

    int number();

    String name();

    int maxCompressedBytes(int length);

    /** Compresses the first {@code length} bytes of {@code source}; the size of what is in {@code target} then. */
    int compress(byte[] source, int length, byte[] target);

    /** The most that {@code size} compressed bytes can stand for: a block that claims more is damaged. */
    long maxUncompressedBytes(int size);

    /** Fills {@code target} exactly; false when the bytes do not stand for just as many. */
    boolean decompress(byte[] source, int from, int size, byte[] target);

    static Codec named(String name) {
        Optional<Codec> codec =
                ALL.stream().filter(each -> each.name().equals(name)).findFirst();
        checkArgument(codec.isPresent(), "codec \"%s\" is none of none, lz4 and zstd", name);
        return codec.get();
    }

    static Optional<Codec> numbered(int number) {
        return number < ALL.size() ? Optional.of(ALL.get(number)) : Optional.empty();
    }
}
