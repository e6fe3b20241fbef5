package bt.sstable;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;
import java.util.Optional;

/**
 * What lies round every block on disk: the payload as its codec left it, then codec u8, uncompressed length u32, CRC32C
 * u32 over all before. See docs/formats/sstable.md.
 */
final class BlockFrame {
    static final int TRAILER_BYTES = 1 + 2 * Integer.BYTES;
    /** More than the largest entry; a block that claims more is not looked at. */
    static final int MAX_PAYLOAD_BYTES = 72 << 20;

    private BlockFrame() {}

    /**
     * Puts a block with its trailer into {@code out}: as it is where the encoder saves less than an eighth. {@code scratch} has
     * room for what the encoder makes of it.
     */
    static void encode(Output block, BlockEncoder encoder, byte[] scratch, Output out) {
        int length = block.size();
        checkState(length <= MAX_PAYLOAD_BYTES, "a block of %d bytes, more than %d", length, MAX_PAYLOAD_BYTES);
        out.clear();
        if (!compressed(block, encoder, scratch, out)) {
            out.raw(block.array(), 0, length).u8(NoneCodec.NUMBER);
        }
        out.u32(length);
        out.u32(Crc32c.of(out.array(), 0, out.size()));
    }

    private static boolean compressed(Output block, BlockEncoder encoder, byte[] scratch, Output out) {
        if (encoder.number() == NoneCodec.NUMBER) {
            return false;
        }
        int size = encoder.compress(block.array(), block.size(), scratch);
        if (size >= block.size() - block.size() / 8) {
            return false;
        }
        out.raw(scratch, 0, size).u8(encoder.number());
        return true;
    }

    /**
     * The payload of the block whose {@code size} bytes begin at {@code array[from]} and, in the file {@code path}, at
     * {@code offset}. An uncompressed one is a view.
     */
    static Payload decode(String path, long offset, byte[] array, int from, int size, Decoders decoders)
            throws BigtableException {
        check(path, offset, array, from, size);
        int length = size - TRAILER_BYTES;
        Input trailer = new Input(path, offset + length, array, from + length, from + size);
        int number = trailer.u8("codec");
        int uncompressed = trailer.u32("uncompressed length");
        Optional<? extends BlockDecoder> decoder = decoders.decoder(number);
        if (decoder.isEmpty()) {
            throw LaterFile.of(path + " at " + offset, "codec " + number + " is not known here");
        }
        long max = Math.min(MAX_PAYLOAD_BYTES, decoder.get().maxUncompressedBytes(length));
        if (uncompressed < 0 || uncompressed > max) {
            throw new CorruptionException(path + " at " + offset + ": " + length + " bytes cannot stand for "
                    + Integer.toUnsignedString(uncompressed) + ", at most for " + max);
        }
        if (number == NoneCodec.NUMBER && uncompressed == length) {
            return new Payload(array, from, from + length);
        }
        int working = ReadBuffer.isNew(uncompressed) ? decoder.get().workingBytes(uncompressed) : 0;
        if (working > 0) {
            ReadWork.ofThread().hold(working);
        }
        byte[] target = ReadBuffer.newBytes(uncompressed);
        if (!decoder.get().decompress(array, from, length, target)) {
            throw new CorruptionException(path + " at " + offset + ": " + length + " bytes of "
                    + decoder.get().name() + " do not stand for " + uncompressed);
        }
        if (working > 0) {
            ReadWork.ofThread().letGo(working);
        }
        return new Payload(target, 0, uncompressed);
    }

    private static void check(String path, long offset, byte[] array, int from, int size) throws CorruptionException {
        int length = size - Integer.BYTES;
        int expected = new Input(path, offset + length, array, from + length, from + size).u32("block crc");
        int actual = Crc32c.of(array, from, length);
        if (actual != expected) {
            throw new CorruptionException(
                    String.format("%s at %d: block crc %08x, expected %08x", path, offset, actual, expected));
        }
    }

    /** The decoders of a file by their numbers. */
    interface Decoders {
        Optional<? extends BlockDecoder> decoder(int number) throws BigtableException;
    }
}
