package bt.master;

import bt.base.BigtableException;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The SSTables of one table that there are, with their bytes, and the directories in which there is none. */
record TableFiles(Map<String, Long> files, List<String> empty) {

    /** What lies in the directories, each named by the epoch of the server that makes files there. */
    static TableFiles list(FileStore store, List<String> directories) throws BigtableException {
        Map<String, Long> files = new TreeMap<>();
        List<String> empty = new ArrayList<>();
        for (String directory : directories) {
            List<FileInfo> entries = store.list(directory);
            if (entries.isEmpty()) {
                empty.add(directory);
            }
            entries.forEach(entry -> files.put(directory + "/" + entry.name(), entry.bytes()));
        }
        return new TableFiles(files, empty);
    }

    /** False as long as its creator may name it; and for what no server names so. */
    boolean isSettled(String path, Creators creators) {
        String number = FilePaths.name(path);
        return number.matches("[0-9]{1,18}")
                && creators.isSettled(number(FilePaths.parent(path)), Long.parseLong(number));
    }

    /** The table, or the epoch, that a directory is named by. */
    static long number(String directory) {
        return Long.parseLong(FilePaths.name(directory));
    }
}
