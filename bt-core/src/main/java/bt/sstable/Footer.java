package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;

/**
 * The last bytes of the file: where its tail begins (u64), the handle of the section table, version u32, CRC32C u32 over
 * all before, magic. Version, CRC and magic stay where they are in every version to come. See docs/formats/sstable.md.
 */
record Footer(long tailOffset, BlockHandle sections) {
    static final Bytes MAGIC = Bytes.utf8("SSTable\n");
    static final int VERSION = 1;
    static final int HEADER_BYTES = 8 + Integer.BYTES;
    static final int BYTES = Long.BYTES + BlockHandle.ENCODED_BYTES + 2 * Integer.BYTES + 8;

    private static final int VERSION_AT = Long.BYTES + BlockHandle.ENCODED_BYTES;

    static Output header() {
        return new Output(HEADER_BYTES).raw(MAGIC).u32(VERSION);
    }

    static void checkHeader(String path, byte[] array) throws CorruptionException {
        Input in = new Input(path, 0, array, 0, HEADER_BYTES);
        checkMagic(in);
        int version = in.u32("version");
        if (version != VERSION) {
            throw in.corrupt("version " + Integer.toUnsignedString(version) + ", by its footer " + VERSION);
        }
    }

    Output encode() {
        Output out = new Output(BYTES).u64(tailOffset);
        sections.encodeTo(out).u32(VERSION);
        return out.u32(Crc32c.of(out.array(), 0, out.size())).raw(MAGIC);
    }

    /** Reads the footer of a file whose last bytes are {@code array}. UNAVAILABLE when it is of a version that is not known. */
    static Footer decode(String path, long fileBytes, byte[] array) throws BigtableException {
        int at = array.length - BYTES;
        long offset = fileBytes - BYTES;
        checkMagic(new Input(path, fileBytes - 8, array, array.length - 8, array.length));
        Input in = new Input(path, offset, array, at, array.length);
        long tailOffset = in.u64("tail offset");
        int expected = new Input(path, 0, array, at + VERSION_AT + Integer.BYTES, array.length).u32("footer crc");
        int actual = Crc32c.of(array, at, VERSION_AT + Integer.BYTES);
        if (actual != expected) {
            throw new CorruptionException(
                    String.format("%s at %d: footer crc %08x, expected %08x", path, offset, actual, expected));
        }
        // Behind the CRC: a version with a bit that has flipped is damage.
        int version = new Input(path, 0, array, at + VERSION_AT, array.length).u32("version");
        if (version != VERSION) {
            throw LaterFile.of(
                    path + " at " + (offset + VERSION_AT),
                    "version " + Integer.toUnsignedString(version) + ", this program reads " + VERSION);
        }
        BlockHandle sections = BlockHandle.decode(in, offset);
        if (tailOffset < HEADER_BYTES || tailOffset > sections.offset()) {
            throw in.corrupt("a tail from " + tailOffset + ", the section table lies at " + sections.offset());
        }
        return new Footer(tailOffset, sections);
    }

    private static void checkMagic(Input in) throws CorruptionException {
        Bytes magic = in.raw("magic", MAGIC.length());
        if (!magic.equals(MAGIC)) {
            throw in.corrupt("no SSTable, or not whole: it has " + magic + " for a magic");
        }
    }
}
