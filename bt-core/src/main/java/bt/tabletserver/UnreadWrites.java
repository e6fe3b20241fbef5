package bt.tabletserver;

import bt.base.CorruptionException;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.tablet.OpenWrite;
import java.util.List;
import java.util.Optional;

/**
 * Files of a tablet's open writes that a load found damaged or missing, with what is wrong. Reads need none of them. But a write may be one of
 * those that they told of, sent again, and nobody here would know it: so the tablet takes no write until nobody may send one of those
 * again, which is so long after the load, for all of them had been applied by then. METADATA names the files until that is over: should
 * the tablet move, its next server must not take for new what may be old. Those of METADATA's tablets are never needed: each change
 * there names the generation that it was decided on, so that a second copy of it is refused.
 */
record UnreadWrites(List<FileReference> files, String damage, long untilNanos) {
    private static final long NANOS_A_SECOND = 1_000_000_000L;

    static final UnreadWrites NONE = new UnreadWrites(List.of(), "", 0);

    UnreadWrites {
        files = List.copyOf(files);
    }

    /** Of a tablet of the table that is being loaded now. */
    static UnreadWrites of(long tableId, List<FileReference> files, CorruptionException damage, long nowNanos) {
        long kept = tableId == TableSchema.METADATA_ID ? 0 : OpenWrite.KEPT_MICROS * 1_000;
        return new UnreadWrites(files, damage.getMessage(), nowNanos + kept);
    }

    boolean holds(FileReference file) {
        return files.contains(file);
    }

    /** Whether there are any, and nobody may send again what they told of. */
    boolean areOver(long nowNanos) {
        return !files.isEmpty() && nowNanos - untilNanos >= 0;
    }

    /** Whether METADATA still names one. */
    boolean areNamed(TabletState state) {
        return state.getFiles().stream().anyMatch(this::holds);
    }

    /** Why the tablet takes no writes, and for how long; empty where it takes them. */
    Optional<String> refusal(long nowNanos) {
        if (files.isEmpty() || areOver(nowNanos)) {
            return Optional.empty();
        }
        long seconds = (untilNanos - nowNanos) / NANOS_A_SECOND + 1;
        return Optional.of(damage + "; which writes were sent before is not known: it takes none for " + seconds
                + " s, and is read meanwhile");
    }
}
