package bt.main;

import static bt.base.Check.checkArgument;

import bt.fs.LocalBlocks;
import bt.fs.local.LocalBlockFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many bytes of blocks a tablet server copies to a disk of its machine, and where; 0 bytes: none. */
record LocalCache(long bytes, Path directory) {
    private static final Logger log = LoggerFactory.getLogger(LocalCache.class);

    /** YARN's own directories for what a container needs no longer than it lives, separated by commas. */
    private static final String OF_CONTAINER = "LOCAL_DIRS";

    LocalCache {
        checkArgument(bytes >= 0, "a local cache of %d bytes", bytes);
    }

    static LocalCache read(Map<String, String> configuration) {
        String named = Setting.LOCAL_CACHE_DIRECTORY.text(configuration);
        return new LocalCache(
                Setting.LOCAL_CACHE_BYTES.number(configuration),
                named.isEmpty() ? usualDirectory(System.getenv()) : Path.of(named));
    }

    static Path usualDirectory(Map<String, String> environment) {
        String ofContainer = environment.getOrDefault(OF_CONTAINER, "").split(",", 2)[0];
        return Path.of(ofContainer.isEmpty() ? System.getProperty("java.io.tmpdir") : ofContainer);
    }

    /** For a server whose files lie there: what is on a disk of this machine anyway needs no copies. */
    LocalBlocks open(String root, Opened opened) {
        if (bytes == 0 || !FileStores.isRemote(root)) {
            return LocalBlocks.NONE;
        }
        try {
            return opened.add(LocalBlockFile.create(directory, bytes));
        } catch (IOException noDisk) {
            log.warn("{}: no local cache of blocks: {}", directory, noDisk.toString());
            return LocalBlocks.NONE;
        }
    }
}
