package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TwoPassPropertyTest {
    @SeededTest(runs = 60)
    void everyBlockComesBackByItself(RandomGenerator random) throws BigtableException {
        List<byte[]> blocks = new ArrayList<>();
        for (Bytes page : Texts.pages(random, 200).values()) {
            blocks.add(page.toArray());
        }
        blocks.add(new byte[random.nextInt(100_000)]);
        blocks.add(noise(random, random.nextInt(10_000)));
        blocks.add(blocks.get(random.nextInt(blocks.size())));
        assertComeBack(blocks);
    }

    /** Once the dictionary is full, what it has is still copied. */
    @SeededTest(runs = 2)
    void aFullDictionaryIsStillUsed(RandomGenerator random) throws BigtableException {
        List<byte[]> blocks = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            byte[] block = noise(random, 300_000);
            blocks.addAll(List.of(block, block, block, block, block));
        }
        List<byte[]> compressed = assertComeBack(blocks);
        assertThat(compressed.get(4)).hasSizeLessThan(100);
        assertThat(compressed.get(compressed.size() - 1)).hasSizeGreaterThan(300_000);
    }

    /** Positions in the window begin again after 253 MiB. */
    @Test
    void whatIsCommonStaysCommonHoweverLongTheFile() {
        TwoPassEncoder encoder = new TwoPassEncoder();
        Random random = new Random(1);
        byte[] common = noise(random, 100_000);
        byte[] other = noise(random, 4 << 20);
        byte[] target = new byte[encoder.maxCompressedBytes(other.length)];
        for (int i = 0; i < 4; i++) {
            encoder.compress(common, common.length, target);
        }
        for (int i = 0; i < 300; i++) {
            // Only its end enters the window.
            random.nextBytes(other);
            encoder.compress(other, 1 << 20, target);
        }
        assertThat(encoder.compress(common, common.length, target)).isLessThan(100);
    }

    private static List<byte[]> assertComeBack(List<byte[]> blocks) throws BigtableException {
        TwoPassEncoder encoder = new TwoPassEncoder();
        List<byte[]> compressed = new ArrayList<>();
        for (byte[] block : blocks) {
            byte[] target = new byte[encoder.maxCompressedBytes(block.length)];
            compressed.add(Arrays.copyOf(target, encoder.compress(block, block.length, target)));
        }
        Output dictionary = encoder.dictionary().orElseThrow();
        assertThat(dictionary.size()).isLessThanOrEqualTo(TwoPassCodec.MAX_DICTIONARY_BYTES);
        BlockDecoder decoder = new TwoPassCodec(new ZstdCodec())
                .decoder("test", 0, new Payload(dictionary.array(), 0, dictionary.size()));
        for (int i = blocks.size() - 1; i >= 0; i--) {
            byte[] bytes = compressed.get(i);
            byte[] target = new byte[blocks.get(i).length];
            assertThat(decoder.decompress(bytes, 0, bytes.length, target)).isTrue();
            assertThat(target).isEqualTo(blocks.get(i));
        }
        return compressed;
    }

    private static byte[] noise(RandomGenerator random, int length) {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        return noise;
    }
}
