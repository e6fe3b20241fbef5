package bt.doctor;

import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.record.FileReference;
import bt.sstable.FilterHash;
import java.util.HashSet;
import java.util.Set;

/** What the rows of METADATA refer to: files by the hash of their path, logs by the epoch. One thread. */
final class Needs {
    private final HashTable files = new HashTable();
    private final Set<Long> epochs = new HashSet<>();

    void add(MetadataRow row) {
        for (FileReference file : row.state().getFiles()) {
            long hash = hash(file.getPath());
            if (!files.contains(hash)) {
                files.add(hash, 0);
            }
        }
        epochs.addAll(row.state().getLogs());
        epochs.add(row.location().getEpoch());
    }

    boolean needsFile(String path) {
        return files.contains(hash(path));
    }

    boolean needsLog(long epoch) {
        return epochs.contains(epoch);
    }

    private static long hash(String path) {
        return FilterHash.of(Bytes.utf8(path)).value();
    }
}
