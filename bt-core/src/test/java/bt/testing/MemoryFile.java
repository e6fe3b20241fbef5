package bt.testing;

import bt.fs.FileWriter;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one file and how safe they are: synced are at most those flushed, flushed at most those appended. Whoever
 * touches it holds its store's lock.
 */
final class MemoryFile {
    private static final int TORN_CHUNK_ONE_IN = 4;

    private byte[] bytes = new byte[64];
    private int appended;
    private int flushed;
    private int synced;

    /** Who holds the lease; null when closed. A dead writer holds it until it is fenced. */
    @Nullable MemoryFileWriter writer;

    boolean deleted;
    long modifiedMicros;

    void append(byte[] source, int offset, int length) {
        if (length > bytes.length - appended) {
            bytes = Arrays.copyOf(bytes, Math.max(appended + length, 2 * bytes.length));
        }
        System.arraycopy(source, offset, bytes, appended, length);
        appended += length;
    }

    void flush() {
        flushed = appended;
    }

    void sync() {
        flush();
        synced = flushed;
    }

    /** Of all bytes. */
    int hash() {
        int hash = 1;
        for (int i = 0; i < appended; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    /** What a reader may know of. */
    int length() {
        return flushed;
    }

    void read(int position, byte[] target, int offset, int length) {
        System.arraycopy(bytes, position, target, offset, length);
    }

    /** Only what every replica holds outlives a change of the lease. */
    void flip(int position) {
        bytes[position] ^= 1;
    }

    void forgetUnflushed() {
        appended = flushed;
    }

    /**
     * Some of what was not yet safe is there all the same. With the power an append may be torn, and then the chunk that it
     * began in goes as a whole.
     */
    Torn tear(boolean powerLost, RandomGenerator random) {
        int safe = powerLost ? synced : flushed;
        int inDoubt = appended - safe;
        boolean chunkIsTorn = powerLost && inDoubt > 0 && random.nextInt(TORN_CHUNK_ONE_IN) == 0;
        appended = chunkIsTorn ? safe - safe % FileWriter.CHUNK_BYTES : safe + random.nextInt(inDoubt + 1);
        int left = appended - safe;
        flushed = appended;
        synced = Math.min(synced, flushed);
        return new Torn(inDoubt, left);
    }

    /** How many bytes at the end of a file were in doubt after a crash, and how many of them are there; less than none where others went with them. */
    record Torn(int inDoubt, int left) {
        boolean isLost() {
            return left < inDoubt;
        }

        boolean isTorn() {
            return left > 0 && isLost();
        }
    }
}
