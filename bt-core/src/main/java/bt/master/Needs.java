package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.record.FileReference;
import bt.record.Intent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What METADATA's rows of one table need: files, and servers' logs. One thread. */
final class Needs {
    private static final int ATTEMPTS = 5;
    private static final long AGAIN_MILLIS = 1_000;

    private final Set<String> files = new HashSet<>();
    private final Set<Long> epochs = new HashSet<>();
    private final List<String> intents = new ArrayList<>();
    private final List<MetadataRow> gone = new ArrayList<>();
    private boolean isEmpty = true;

    /**
     * Reads the rows of a table. With {@code whole}, until they follow each other from the first row of the table to its last
     * without a gap: in one, there was a tablet whose needs we have not seen. UNAVAILABLE when they do not, or when a row
     * cannot be read.
     */
    static Needs of(long tableId, boolean whole, MetadataTable metadata, Scheduler scheduler)
            throws BigtableException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            List<MetadataRow> rows = metadata.scanAll(tableId, tableId);
            Optional<String> gap = whole ? gap(rows) : Optional.empty();
            if (gap.isEmpty()) {
                Needs needs = new Needs();
                rows.forEach(needs::add);
                return needs;
            }
            if (attempt == ATTEMPTS) {
                throw new UnavailableException("METADATA rows of table " + tableId + ": " + gap.get());
            }
            // Between two pages a tablet may have split, or merged; between two attempts that is over.
            scheduler.pause(AGAIN_MILLIS);
        }
    }

    private static Optional<String> gap(List<MetadataRow> rows) {
        Optional<Bytes> end = Optional.empty();
        boolean last = false;
        for (MetadataRow row : rows) {
            if (!row.gone()) {
                if (last || !row.previousEndRow().equals(end)) {
                    return Optional.of(row.id() + " does not begin where the tablet before ends");
                }
                end = row.id().endRow();
                last = end.isEmpty();
            }
        }
        return last ? Optional.empty() : Optional.of("there is no last tablet");
    }

    private void add(MetadataRow row) {
        isEmpty = false;
        if (row.gone()) {
            gone.add(row);
            return;
        }
        row.state().getFiles().stream().map(FileReference::getPath).forEach(files::add);
        epochs.addAll(row.state().getLogs());
        epochs.add(row.location().getEpoch());
        for (Intent intent : row.state().getIntents()) {
            // Without a state it is a mark on this row alone; else it names what another row needs, and a path is text
            // in it.
            if (intent.getState().hasRemaining()) {
                intents.add(latin(AvroBytes.bytes(intent.getState())));
            }
        }
    }

    boolean file(String path) {
        return files.contains(path) || intents.stream().anyMatch(intent -> intent.contains(path));
    }

    Set<Long> epochs() {
        return epochs;
    }

    /** Half of a change of two rows is under way: what logs the other row needs is not known here. */
    boolean hasIntents() {
        return !intents.isEmpty();
    }

    /** Rows that are marked gone. */
    List<MetadataRow> gone() {
        return gone;
    }

    /** Whether the table has no row at all. */
    boolean isEmpty() {
        return isEmpty;
    }

    private static String latin(Bytes bytes) {
        return new String(bytes.toArray(), StandardCharsets.ISO_8859_1);
    }
}
