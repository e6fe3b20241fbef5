package bt.master;

import bt.base.AvroBytes;
import bt.metadata.MetadataRow;
import bt.record.FileReference;
import bt.record.Intent;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Of some files those that no row of METADATA names, as far as rows were seen. One thread. */
final class Unneeded {
    private final Set<String> paths = new TreeSet<>();

    /** Those that nobody will give to METADATA any more. */
    static Unneeded of(TableFiles listed, Creators creators) {
        Unneeded all = new Unneeded();
        listed.files().keySet().stream()
                .filter(path -> listed.isSettled(path, creators))
                .forEach(all.paths::add);
        return all;
    }

    /** A row was seen. */
    void saw(MetadataRow row) {
        if (row.gone() || paths.isEmpty()) {
            return;
        }
        row.state().getFiles().stream().map(FileReference::getPath).forEach(paths::remove);
        for (Intent intent : row.state().getIntents()) {
            // What another row needs is named in its state, and a path is text in it.
            String state = new String(AvroBytes.bytes(intent.getState()).toArray(), StandardCharsets.ISO_8859_1);
            paths.removeIf(state::contains);
        }
    }

    Set<String> paths() {
        return paths;
    }
}
