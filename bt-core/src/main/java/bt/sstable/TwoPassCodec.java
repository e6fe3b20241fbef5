package bt.sstable;

import bt.base.CorruptionException;
import java.util.Arrays;

/**
 * The two passes of section 6 of the paper. The first is Bentley and McIlroy's scheme: long strings that the file has had
 * before become references. Here they refer to a dictionary of the file's common strings, so that the window is as long as the
 * file though every block opens by itself. The second pass is Zstandard at its fastest level over what is left. A block is
 *
 * <pre>
 * first-pass-length varint, one frame of zstd that stands for so many bytes:
 *     command-bytes varint, commands, literals
 * command:
 *     literals before the copy varint, bytes of the copy varint,
 *     where it begins in the dictionary, less where the copy before it ended, as a zigzag varint
 * </pre>
 *
 * and the literals that no command takes end it. See docs/formats/sstable.md.
 */
record TwoPassCodec(Codec withoutDictionary) implements DictionaryCodec {
    static final int NUMBER = 4;
    static final int MAX_DICTIONARY_BYTES = 2 << 20;
    /** So much more than the block its first pass may be: the number of command bytes. A copy is longer than its command. */
    static final int MAX_EXTRA_BYTES = 5;

    @Override
    public int number() {
        return NUMBER;
    }

    @Override
    public String name() {
        return "two-pass";
    }

    @Override
    public FileEncoder encoder() {
        return new TwoPassEncoder();
    }

    @Override
    public BlockDecoder decoder(String path, long offset, Payload dictionary) throws CorruptionException {
        if (dictionary.length() > MAX_DICTIONARY_BYTES) {
            throw new CorruptionException(path + " at " + offset + ": a dictionary of " + dictionary.length()
                    + " bytes, more than " + MAX_DICTIONARY_BYTES);
        }
        return new TwoPassDecoder(Arrays.copyOfRange(dictionary.array, dictionary.from, dictionary.to));
    }
}
