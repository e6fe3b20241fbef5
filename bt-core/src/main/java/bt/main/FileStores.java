package bt.main;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.fs.FileStore;
import bt.fs.hadoop.HadoopFileStore;
import bt.fs.local.LocalFileStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** Opens what the key {@code root} names. */
final class FileStores {
    private FileStores() {}

    static FileStore open(String root, Scheduler scheduler) throws BigtableException {
        if (root.startsWith("hdfs:")) {
            return HadoopFileStore.open(root, Map.of(), scheduler);
        }
        if (root.startsWith("file:/")) {
            return LocalFileStore.open(Path.of(URI.create(root)));
        }
        if (!root.startsWith("/")) {
            throw new RejectedException(Setting.ROOT.key() + " is \"" + root
                    + "\"; write hdfs://host:port/path, or an absolute path of this machine");
        }
        return LocalFileStore.open(Path.of(root));
    }
}
