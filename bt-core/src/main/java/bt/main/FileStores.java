package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.fs.FileStore;
import bt.fs.hadoop.HadoopFileStore;
import bt.fs.local.LocalFileStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Opens what the key {@code root} names. */
final class FileStores {
    private FileStores() {}

    /** Leaves word of where the files lie, for commands that look at them beside the servers. */
    static void announce(LockService locks, String root) throws BigtableException {
        Optional<SmallFile> before = locks.read(Paths.FILES);
        if (before.isEmpty()) {
            locks.create(Paths.FILES, Bytes.utf8(root));
        } else if (!before.get().content().equals(Bytes.utf8(root))) {
            locks.write(Paths.FILES, Bytes.utf8(root), before.get().version());
        }
    }

    /** What was announced; REJECTED where nothing was. */
    static String announced(LockService locks) throws BigtableException {
        return locks.read(Paths.FILES)
                .map(file -> file.content().toUtf8())
                .orElseThrow(() -> new RejectedException(
                        "no master has said where the cluster's files lie",
                        "name it, -D " + Setting.ROOT.key() + "=hdfs://host:port/path"));
    }

    /** Whether it is a file system of other machines. */
    static boolean isRemote(String root) {
        return root.startsWith("hdfs:");
    }

    static FileStore open(String root, Scheduler scheduler) throws BigtableException {
        if (isRemote(root)) {
            return HadoopFileStore.open(root, Map.of(), scheduler);
        }
        if (root.startsWith("file:/")) {
            return LocalFileStore.open(Path.of(URI.create(root)));
        }
        if (!root.startsWith("/")) {
            throw new RejectedException(
                    Setting.ROOT.key() + " is \"" + root + "\"",
                    "write hdfs://host:port/path, or an absolute path of this machine");
        }
        return LocalFileStore.open(Path.of(root));
    }
}
