package bt.master;

import bt.base.BigtableException;
import bt.fs.FileStore;
import bt.record.FileReference;
import bt.record.TabletState;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host that has most of a tablet's blocks: reads there need no network. By its largest file, since each answer costs
 * a question to the file system. Owned by the master's thread.
 */
final class Homes {
    private static final Logger log = LoggerFactory.getLogger(Homes.class);
    private static final int MAX_KNOWN = 100_000;

    private final FileStore files;
    private final Map<String, Optional<String>> known = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Optional<String>> eldest) {
            return size() > MAX_KNOWN;
        }
    };

    Homes(FileStore files) {
        this.files = files;
    }

    /** The file that decides; empty for a tablet without any. */
    static Optional<String> largestFile(TabletState state) {
        return state.getFiles().stream()
                .max(Comparator.comparingLong(FileReference::getBytes).thenComparing(FileReference::getPath))
                .map(FileReference::getPath);
    }

    /** Empty where nobody can say. */
    Optional<String> of(Optional<String> file) {
        return file.flatMap(path -> known.computeIfAbsent(path, this::ask));
    }

    private Optional<String> ask(String path) {
        try {
            return files.hosts(path).stream().findFirst();
        } catch (BigtableException unknown) {
            log.debug("{}: {}", path, unknown.getMessage());
            return Optional.empty();
        }
    }
}
