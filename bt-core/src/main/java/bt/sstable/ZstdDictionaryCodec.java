package bt.sstable;

import bt.base.CorruptionException;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import java.util.Arrays;

/** Zstandard frames that lean on a dictionary trained from the file's own first blocks. */
record ZstdDictionaryCodec(ZstdCodec withoutDictionary) implements DictionaryCodec {
    static final int NUMBER = 3;
    /** What zstd itself makes of samples without end; a larger one slows it down for little. */
    static final int MAX_DICTIONARY_BYTES = 112 << 10;

    @Override
    public int number() {
        return NUMBER;
    }

    @Override
    public String name() {
        return "zstd-dict";
    }

    @Override
    public FileEncoder encoder() {
        return new ZstdDictionaryEncoder(withoutDictionary);
    }

    @Override
    public BlockDecoder decoder(String path, long offset, Payload dictionary) throws CorruptionException {
        byte[] bytes = Arrays.copyOfRange(dictionary.array, dictionary.from, dictionary.to);
        if (bytes.length > MAX_DICTIONARY_BYTES || Zstd.getDictIdFromDict(bytes) == 0) {
            throw new CorruptionException(
                    path + " at " + offset + ": " + bytes.length + " bytes that are no dictionary of zstd");
        }
        try {
            // Its native memory goes when the file's last reader does.
            return new Decoder(new ZstdDictDecompress(bytes));
        } catch (IllegalStateException refused) {
            throw new CorruptionException(path + " at " + offset + ": zstd refuses the dictionary");
        }
    }

    private record Decoder(ZstdDictDecompress dictionary) implements BlockDecoder {
        @Override
        public String name() {
            return "zstd-dict";
        }

        @Override
        public long maxUncompressedBytes(int size) {
            return (long) size * ZstdCodec.MAX_RATIO;
        }

        @Override
        public boolean decompress(byte[] source, int from, int size, byte[] target) {
            try {
                return Zstd.decompressFastDict(target, 0, source, from, size, dictionary) == target.length;
            } catch (ZstdException damaged) {
                return false;
            }
        }
    }
}
