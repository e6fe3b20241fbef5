package bt.tabletserver;

import bt.base.OverloadedException;
import bt.model.TableSchema;
import java.util.Optional;

/**
 * Refuses writes that would give a tablet another file, which are those to a memtable that has nothing yet of a locality group of theirs, where what a
 * server serves takes more of its memory than it may. From 3/2 of its share on ({@link TabletMemory}) a table may take no more than what
 * is left of 7/4: so those that take most are refused first, one that takes little finds something left for as long as others do not take it by
 * thousands, and beyond 7/4 nobody's tablets get more files. Writes to groups that the memtable has changes of are never refused, nor METADATA's, replays, loads and compactions.
 * It ends when files are merged, and when tablets are dropped or moved. Any thread.
 */
record WriteRoom(TabletMemory memory) {
    /** OVERLOADED where the write would give its tablet another file, and there is no room for that. The commit thread. */
    void check(WriteEntry entry, HostedTablet hosted) throws OverloadedException {
        // Every write asks, and mostly it is one comparison.
        if (isRoomy() || hosted.id().tableId() == TableSchema.METADATA_ID) {
            return;
        }
        int files = hosted.tablet().moreFiles(entry.mutation());
        if (files == 0) {
            return;
        }
        // What was foreseen since it was counted may be files by now, and merged or dropped.
        memory.look();
        long taken = memory.served().bytesOf(hosted.id().tableId());
        if (!isRoomy() && taken + TabletBytes.ofFiles(files) > left()) {
            throw new OverloadedException(
                    "table " + hosted.tablet().schema().name() + " row "
                            + entry.write().mutation().row().brief() + ": its tablet would get "
                            + (files == 1 ? "another file" : files + " more files") + ", and the table takes " + taken
                            + " bytes of the server's memory: "
                            + memory.inWords(),
                    TabletMemory.RETRY_MILLIS);
        }
    }

    /** The write is going to be in the memtable: the files that this gives the tablet count from now on. The commit thread. */
    void admitted(WriteEntry entry, HostedTablet hosted) {
        int files = hosted.tablet().foresee(entry.mutation());
        if (files > 0) {
            memory.served().foresee(hosted.id().tableId(), files);
        }
    }

    private boolean isRoomy() {
        return memory.takenBytes() < memory.mostServed();
    }

    private long left() {
        return memory.mostWritten() - memory.takenBytes();
    }

    /** For operators, what it refuses for want of room, and which table takes most. */
    Optional<String> problem() {
        memory.look();
        return isRoomy()
                ? Optional.empty()
                : Optional.of(
                        "it refuses writes that give tablets more files, of tables that take " + Math.max(0, left())
                                + " bytes or more, most of all "
                                + memory.served().largest().orElse("none") + ": "
                                + memory.inWords());
    }
}
