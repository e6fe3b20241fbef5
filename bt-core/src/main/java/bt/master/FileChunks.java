package bt.master;

import bt.base.BigtableException;
import bt.fs.FileStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The SSTables of one table that there are, about so many at a time: each directory is listed once, and as a whole. One thread. */
final class FileChunks {
    private final FileStore store;
    private final Iterator<String> directories;
    private final int most;

    FileChunks(FileStore store, List<String> directories, int most) {
        this.store = store;
        this.directories = directories.iterator();
        this.most = most;
    }

    boolean hasNext() {
        return directories.hasNext();
    }

    /** What lies in the next directories; nothing where there is none. */
    TableFiles next() throws BigtableException {
        List<String> listed = new ArrayList<>();
        Map<String, Long> files = new TreeMap<>();
        List<String> empty = new ArrayList<>();
        while (directories.hasNext() && files.size() < most) {
            TableFiles one = TableFiles.list(store, directories.next());
            listed.addAll(one.directories());
            files.putAll(one.files());
            empty.addAll(one.empty());
        }
        return new TableFiles(listed, files, empty);
    }
}
