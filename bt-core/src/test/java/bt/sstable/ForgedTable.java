package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;
import bt.record.SSTableProperties;
import java.util.Arrays;

/** The bytes of an SSTable with something wrong in them that no checksum tells. */
public final class ForgedTable {
    private static final String PATH = "forged";

    private ForgedTable() {}

    /** With another number of entries in its properties, of as many digits. */
    public static byte[] saysEntries(byte[] table, long entries) throws BigtableException {
        byte[] forged = table.clone();
        byte[] end = Arrays.copyOfRange(forged, forged.length - Footer.BYTES, forged.length);
        BlockHandle sections = Footer.decode(PATH, forged.length, end).sections();
        int from = (int) sections.offset();
        Input in = new Input(PATH, from, forged, from, from + (int) sections.size() - BlockFrame.TRAILER_BYTES);
        BlockHandle handle = Sections.decode(in, forged.length).need(PATH, Sections.PROPERTIES);
        int at = (int) handle.offset();
        int length = (int) handle.size() - BlockFrame.TRAILER_BYTES;
        SSTableProperties said = PropertiesCodec.decode(PATH, at, new Payload(forged, at, at + length));
        Output encoded = PropertiesCodec.encode(
                SSTableProperties.newBuilder(said).setEntries(entries).build());
        if (encoded.size() != length) {
            throw new AssertionError(encoded.size() + " bytes for " + length);
        }
        System.arraycopy(encoded.array(), 0, forged, at, length);
        seal(forged, at, at + (int) handle.size());
        return forged;
    }

    /** With another byte of the first key of its first block, which lies there as it is. */
    public static byte[] saysFirstKey(byte[] table, Bytes begin, int index, byte another) {
        byte[] forged = table.clone();
        int end = Footer.HEADER_BYTES + BlockFrame.TRAILER_BYTES;
        while (!isSealed(forged, Footer.HEADER_BYTES, end)) {
            end++;
        }
        int at = Footer.HEADER_BYTES;
        while (!Bytes.copyOf(forged, at, begin.length()).equals(begin)) {
            at++;
        }
        forged[at + index] = another;
        seal(forged, Footer.HEADER_BYTES, end);
        return forged;
    }

    private static boolean isSealed(byte[] table, int from, int end) {
        int sealed = end - Integer.BYTES;
        byte[] crc = new Output().u32(Crc32c.of(table, from, sealed - from)).toArray();
        return Arrays.equals(crc, 0, Integer.BYTES, table, sealed, end);
    }

    private static void seal(byte[] table, int from, int end) {
        int sealed = end - Integer.BYTES;
        byte[] crc = new Output().u32(Crc32c.of(table, from, sealed - from)).toArray();
        System.arraycopy(crc, 0, table, sealed, Integer.BYTES);
    }
}
