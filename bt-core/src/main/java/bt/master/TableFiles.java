package bt.master;

import bt.base.BigtableException;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * SSTables of one table that there are, with their bytes, the directories that were listed for them, and those of these in which there
 * is none.
 */
record TableFiles(List<String> directories, Map<String, Long> files, List<String> empty) {

    /** What lies in a directory, which is named by the epoch of the server that makes files there. */
    static TableFiles list(FileStore store, String directory) throws BigtableException {
        Map<String, Long> files = new TreeMap<>();
        List<FileInfo> entries = store.list(directory);
        entries.forEach(entry -> files.put(directory + "/" + entry.name(), entry.bytes()));
        return new TableFiles(List.of(directory), files, entries.isEmpty() ? List.of(directory) : List.of());
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
