package bt.sstable;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Output;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.github.luben.zstd.Zstd;
import java.util.Arrays;
import java.util.Random;

/** Whatever bytes a decoder is given, it fills the block or says no. The first two bytes are the block's length. */
class CodecFuzzTest {
    private static final String PATH = "fuzz";
    private static final int HEAD_BYTES = 2;
    private static final byte[] TRAINED = trained();
    private static final byte[] COMMON = common();

    @FuzzTest
    void lz4(byte[] data) {
        decompress(new Lz4Codec(), data);
    }

    @FuzzTest
    void zstd(byte[] data) {
        decompress(new ZstdCodec(), data);
    }

    @FuzzTest
    void zstdWithADictionary(byte[] data) throws BigtableException {
        decompress(decoder(ZstdDictionaryCodec.NUMBER, TRAINED), data);
    }

    @FuzzTest
    void dictionaryOfZstd(byte[] data) {
        try {
            decompress(decoder(ZstdDictionaryCodec.NUMBER, data), data);
        } catch (CorruptionException expected) {
            // The only answer beside a decoder.
        } catch (BigtableException e) {
            throw new AssertionError("damage is CORRUPTION", e);
        }
    }

    @FuzzTest
    void twoPass(byte[] data) throws BigtableException {
        decompress(decoder(TwoPassCodec.NUMBER, COMMON), data);
    }

    /** Behind the second pass, where few changed bytes come through. */
    @FuzzTest
    void firstPass(byte[] data) throws BigtableException {
        if (data.length >= HEAD_BYTES) {
            byte[] frame = Zstd.compress(Arrays.copyOfRange(data, HEAD_BYTES, data.length), 1);
            Output whole = new Output().raw(data, 0, HEAD_BYTES);
            whole.varint(data.length - HEAD_BYTES).raw(frame);
            decompress(decoder(TwoPassCodec.NUMBER, COMMON), whole.toArray());
        }
    }

    private static void decompress(BlockDecoder decoder, byte[] data) {
        if (data.length < HEAD_BYTES) {
            return;
        }
        int length = ((data[0] & 0xff) << 8) | (data[1] & 0xff);
        int size = data.length - HEAD_BYTES;
        if (length > decoder.maxUncompressedBytes(size)) {
            return;
        }
        byte[] target = new byte[length];
        boolean decoded = decoder.decompress(data, HEAD_BYTES, size, target);
        byte[] again = new byte[length];
        Arrays.fill(again, (byte) 0x55);
        if (decoder.decompress(data, HEAD_BYTES, size, again) != decoded
                || (decoded && !Arrays.equals(target, again))) {
            throw new AssertionError(decoder.name() + " filled " + length + " bytes in two ways");
        }
    }

    private static BlockDecoder decoder(int number, byte[] dictionary) throws BigtableException {
        return Codecs.withDictionary(number)
                .orElseThrow()
                .decoder(PATH, 0, new Payload(dictionary, 0, dictionary.length));
    }

    static byte[] common() {
        byte[] common = new byte[1000];
        new Random(4).nextBytes(common);
        return common;
    }

    static byte[] trained() {
        FileEncoder encoder = new ZstdDictionaryEncoder(new ZstdCodec());
        encoder.learn(Texts.pages(new Random(4), 200).values().stream()
                .map(page -> page.toArray())
                .toList());
        return encoder.dictionary().orElseThrow().toArray();
    }
}
