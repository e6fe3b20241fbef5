package bt.sstable;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;

/** Makes blocks of their two passes again; see {@link TwoPassCodec}. */
final class TwoPassDecoder implements BlockDecoder {
    private final byte[] dictionary;

    TwoPassDecoder(byte[] dictionary) {
        this.dictionary = dictionary;
    }

    @Override
    public String name() {
        return "two-pass";
    }

    /** A copy of a few bytes may stand for the whole dictionary: only the bound of every block holds. */
    @Override
    public long maxUncompressedBytes(int size) {
        return BlockFrame.MAX_PAYLOAD_BYTES;
    }

    /** For what the second pass has left, which is all of it where nothing came before. */
    @Override
    public int workingBytes(int uncompressed) {
        return uncompressed;
    }

    @Override
    public boolean decompress(byte[] source, int from, int size, byte[] target) {
        Varints in = new Varints(source, from, from + size);
        long length = in.next();
        int frameBytes = from + size - in.at();
        long most =
                Math.min((long) target.length + TwoPassCodec.MAX_EXTRA_BYTES, (long) frameBytes * ZstdCodec.MAX_RATIO);
        if (length < 0 || length > most) {
            return false;
        }
        byte[] firstPass = new byte[(int) length];
        try {
            return Zstd.decompressByteArray(firstPass, 0, firstPass.length, source, in.at(), frameBytes) == length
                    && expand(firstPass, target);
        } catch (ZstdException damaged) {
            return false;
        }
    }

    private boolean expand(byte[] firstPass, byte[] target) {
        Varints commands = new Varints(firstPass, 0, firstPass.length);
        long commandBytes = commands.next();
        if (commandBytes < 0 || commandBytes > firstPass.length - commands.at()) {
            return false;
        }
        int literal = commands.at() + (int) commandBytes;
        commands.endAt(literal);
        int filled = 0;
        long copy = 0;
        while (commands.hasNext()) {
            long literals = commands.next();
            long copied = commands.next();
            long distance = commands.next();
            copy += (distance >>> 1) ^ -(distance & 1);
            if ((literals | copied | distance | copy) < 0
                    || literals > firstPass.length - literal
                    || literals + copied > target.length - filled
                    || copy + copied > dictionary.length) {
                return false;
            }
            System.arraycopy(firstPass, literal, target, filled, (int) literals);
            literal += (int) literals;
            filled += (int) literals;
            System.arraycopy(dictionary, (int) copy, target, filled, (int) copied);
            filled += (int) copied;
            copy += copied;
        }
        int rest = firstPass.length - literal;
        if (rest != target.length - filled) {
            return false;
        }
        System.arraycopy(firstPass, literal, target, filled, rest);
        return true;
    }
}
