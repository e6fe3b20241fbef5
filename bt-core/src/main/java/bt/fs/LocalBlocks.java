package bt.fs;

import java.nio.ByteBuffer;

/**
 * Copies of parts of the file store's files, which are written once and never change, on a disk of this machine. Any part
 * may be gone at any time, and nothing is promised of its bytes: whoever reads a copy checks it, and has the file store
 * behind it. Any thread.
 */
public interface LocalBlocks {
    /** There is nothing, and nothing stays. */
    LocalBlocks NONE = new LocalBlocks() {
        @Override
        public boolean read(String path, long offset, int from, byte[] target, int length) {
            return false;
        }

        @Override
        public boolean has(String path, long offset) {
            return false;
        }

        @Override
        public boolean lacks(String path, long offset) {
            return false;
        }

        @Override
        public void keep(String path, long offset, ByteBuffer part) {
            // There is no disk.
        }

        @Override
        public void keepWhereFree(String path, long offset, ByteBuffer part) {
            // Nor room on it.
        }

        @Override
        public void drop(String path, long offset) {
            // Nor anything on it.
        }

        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public long maxBytes() {
            return 0;
        }
    };

    /**
     * Fills the beginning of {@code target} with so many bytes of the part that begins there, from its byte {@code from} on;
     * false, and the target is anything, without a copy that has them.
     */
    boolean read(String path, long offset, int from, byte[] target, int length);

    /** Whether there is a copy of the part that begins there, just now. */
    boolean has(String path, long offset);

    /** Whether a copy of the part that begins there would stay, and there is none. */
    boolean lacks(String path, long offset);

    /** From now on there may be a copy of what the buffer has left; others go for it. */
    void keep(String path, long offset, ByteBuffer part);

    /** The same where no other copy has to go for it: of what is read once, much, and perhaps never again. */
    void keepWhereFree(String path, long offset, ByteBuffer part);

    /** The copy of the part that begins there, if there is one, is damaged: it is read no more, and another may be kept. */
    void drop(String path, long offset);

    /** The bytes of all parts of which there is a copy. */
    long bytes();

    /** How many these may be; 0 where nothing stays, once a disk has failed for one. */
    long maxBytes();
}
