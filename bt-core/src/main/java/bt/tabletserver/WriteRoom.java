package bt.tabletserver;

import bt.base.OverloadedException;
import bt.model.TableSchema;
import bt.tablet.Foreseen;
import java.util.Optional;

/**
 * Refuses writes that bring what is new to a tablet, a locality group or a family of which it has neither files nor changes in memory, where that would take what
 * a server keeps for tablets that others have served ({@link TabletMemory}). Once the server is full, with an eighth of its share left, a table may bring as
 * much as keeps all that it takes below what is left: those that take most are refused first. With nothing left nobody brings anything new. Other writes are never refused, since
 * files of one group are merged, nor METADATA's, replays, loads and compactions. It ends when tablets are dropped or moved, and when files are merged. Any thread.
 */
record WriteRoom(TabletMemory memory) {
    /** OVERLOADED where the write would bring its tablet something new, and there is no room for that. The commit thread. */
    void check(WriteEntry entry, HostedTablet hosted) throws OverloadedException {
        // Every write asks, and mostly it is one comparison.
        if (isRoomy() || hosted.id().tableId() == TableSchema.METADATA_ID) {
            return;
        }
        Foreseen more = hosted.tablet().newOf(entry.mutation());
        if (more.isNothing()) {
            return;
        }
        // What was foreseen since it was counted may be files by now, and merged or dropped.
        memory.look();
        long taken = memory.served().bytesOf(hosted.id().tableId());
        if (!isRoomy() && taken + TabletBytes.of(more) > memory.leftBytes()) {
            throw new OverloadedException(
                    "table " + hosted.tablet().schema().name() + " row "
                            + entry.write().mutation().row().brief() + ": its tablet would get " + inWords(more)
                            + ", and the table takes " + taken + " bytes of the server's memory: "
                            + memory.inWords(),
                    TabletMemory.RETRY_MILLIS);
        }
    }

    private static String inWords(Foreseen more) {
        return more.files() > 0
                ? counted(more.files(), "file", "files")
                : counted(more.families(), "family", "families");
    }

    private static String counted(int count, String one, String many) {
        return count == 1 ? "another " + one : count + " more " + many;
    }

    /** The write is going to be in the memtable: what it brings that is new counts from now on. The commit thread. */
    void admitted(WriteEntry entry, HostedTablet hosted) {
        Foreseen more = hosted.tablet().foresee(entry.mutation());
        if (!more.isNothing()) {
            memory.served().foresee(hosted.id().tableId(), TabletBytes.of(more));
        }
    }

    private boolean isRoomy() {
        return memory.leftBytes() >= memory.reserve();
    }

    /** For operators, what it refuses for want of room, and which table takes most. */
    Optional<String> problem() {
        memory.look();
        return isRoomy()
                ? Optional.empty()
                : Optional.of(
                        "it refuses writes that give tablets files of more locality groups, or more families, of tables that take "
                                + Math.max(0, memory.leftBytes())
                                + " bytes or more, most of all "
                                + memory.served().largest().orElse("none") + ": "
                                + memory.inWords());
    }
}
