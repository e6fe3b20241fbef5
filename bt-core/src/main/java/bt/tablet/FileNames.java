package bt.tablet;

import bt.base.BigtableException;
import bt.fs.FileStore;
import java.util.concurrent.atomic.AtomicLong;

/** Paths for new SSTables: {@code data/<table id>/<epoch of the server>/<number>}, none twice. Any thread. */
public final class FileNames {
    private final long epoch;
    private final AtomicLong last = new AtomicLong();

    public FileNames(long epoch) {
        this.epoch = epoch;
    }

    /** A path that was never given before; its directory is there. */
    String next(FileStore files, long tableId) throws BigtableException {
        String directory = "data/" + tableId + "/" + epoch;
        files.makeDirectory(directory);
        return directory + "/" + last.incrementAndGet();
    }

    /** Who creates the files, for their properties. */
    String creator() {
        return Long.toString(epoch);
    }
}
