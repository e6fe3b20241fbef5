package bt.sstable;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.fs.FileReader;

/** The end of a file, in memory: all that is not a data block, in most files. */
final class Tail {
    /** Holds the whole tail of most files: the second read of an opening is the exception. */
    static final int FIRST_READ_BYTES = 64 << 10;
    /** Of a larger tail only the end is kept; the index before it is read as it is needed. */
    static final int MAX_BYTES = 64 << 20;

    final Footer footer;
    /** Where in the file {@code bytes} begins. */
    final long offset;

    final byte[] bytes;

    private Tail(Footer footer, long offset, byte[] bytes) {
        this.footer = footer;
        this.offset = offset;
        this.bytes = bytes;
    }

    /** Without anything of the file. */
    Tail shed(long fileLength) {
        return new Tail(footer, fileLength, new byte[0]);
    }

    /** One read, or two; the footer, and what there is before it up to so many bytes in all. */
    static Tail read(FileReader file, int maxBytes) throws BigtableException {
        long length = file.length();
        if (length < Footer.HEADER_BYTES + Footer.BYTES) {
            throw new CorruptionException(file.path() + " at " + length
                    + ": the file ends here, too soon for an SSTable: it was not finished");
        }
        int guess = (int) Math.min(length, FIRST_READ_BYTES);
        byte[] first = new byte[guess];
        file.readFully(length - guess, first, 0, guess);
        Footer footer = Footer.decode(file.path(), length, first);
        if (guess == length) {
            Footer.checkHeader(file.path(), first);
        }
        long offset = Math.max(footer.tailOffset(), length - maxBytes);
        int size = (int) (length - offset);
        byte[] bytes = new byte[size];
        int more = Math.max(0, size - guess);
        System.arraycopy(first, guess - (size - more), bytes, more, size - more);
        if (more > 0) {
            file.readFully(offset, bytes, 0, more);
        }
        return new Tail(footer, offset, bytes);
    }
}
