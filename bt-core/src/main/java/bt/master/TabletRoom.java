package bt.master;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.TabletId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * How much of a master's memory what it knows of users' tables and their tablets may take. It has to know all of them, and so has
 * the master that follows it: with more than there is memory for none could be a master, and nobody could drop a table to make
 * room. So what users ask for that makes tablets, or descriptions of tables longer, is refused before. Owned by the master's
 * thread.
 */
final class TabletRoom {
    /** Of a master's heap, where nothing else is set. */
    private static final int SHARE_OF_HEAP = 4;

    /** Of each tablet beside its name, as docs/performance.md measures it. */
    private static final int TABLET_BYTES = 800;

    /** Of a tablet's name: in its row, in the key of that, in the row of the tablet behind it, and twice in what its server says. */
    private static final int NAMES = 5;

    private final TabletImage image;
    private final LongSupplier descriptions;
    private final long mostBytes;

    /** By their tables the tablets that come to be; the image may know some of them. */
    private final Map<Long, More> coming = new HashMap<>();

    /** Those of {@link #coming} whose tablets are all there, for the image to learn. */
    private final Set<Long> unseen = new HashSet<>();

    /** So many bytes, of which {@code descriptions} of tables take some; 0: the share of a heap of this size. */
    TabletRoom(TabletImage image, LongSupplier descriptions, long mostBytes, long heapBytes) {
        checkArgument(mostBytes >= 0 && heapBytes > 0, "%d bytes of a heap of %d", mostBytes, heapBytes);
        this.image = image;
        this.descriptions = descriptions;
        this.mostBytes = mostBytes == 0 ? heapBytes / SHARE_OF_HEAP : mostBytes;
    }

    /** Tablets that come to be, in number and with the bytes of all their names; and what descriptions of tables take ({@link TableWeight}). */
    record More(long tablets, long nameBytes, long descriptions) {
        static More of(Collection<TabletId> tablets, long descriptions) {
            return new More(
                    tablets.size(),
                    tablets.stream()
                            .flatMap(id -> id.endRow().stream())
                            .mapToLong(Bytes::length)
                            .sum(),
                    descriptions);
        }

        /** With the one that has no end row. */
        static More ofTable(Collection<Bytes> endRows, long descriptions) {
            return new More(
                    endRows.size() + 1,
                    endRows.stream().mapToLong(Bytes::length).sum(),
                    descriptions);
        }

        private More and(More other) {
            return new More(tablets + other.tablets, nameBytes + other.nameBytes, descriptions + other.descriptions);
        }

        @Override
        public String toString() {
            String longer = descriptions + " bytes of a description";
            return tablets == 0
                    ? longer + " more"
                    : tablets + " more tablets" + (descriptions == 0 ? "" : ", and " + longer + ",");
        }

        private long bytes() {
            return tablets * TABLET_BYTES + NAMES * nameBytes + descriptions;
        }
    }

    /** Whether there is no room for one more. */
    boolean isFull() {
        return mostBytes - taken().bytes() < TABLET_BYTES;
    }

    /** REJECTED where these find no room any more. */
    void check(String subject, More more) throws RejectedException {
        More taken = taken();
        if (more.bytes() > mostBytes - taken.bytes()) {
            throw new RejectedException(
                    subject + ": " + more + " take " + more.bytes() + " bytes of the master's memory; " + stand(taken),
                    advice());
        }
    }

    /** The tablets of a table are being written: they count before they are seen. */
    void comes(long tableId, More more) {
        coming.put(tableId, new More(more.tablets(), more.nameBytes(), 0));
    }

    /** They are all there now; or the table will not be, and what there is of them is what the image will know. */
    void decided(long tableId, boolean isThere) {
        if (isThere) {
            unseen.add(tableId);
        } else {
            coming.remove(tableId);
        }
    }

    /** For operators, where there is no room for any more. */
    Optional<String> problem() {
        return isFull()
                ? Optional.of("no table is created, and no tablet split for its requests or because somebody asks: "
                        + stand(taken()) + ": " + advice())
                : Optional.empty();
    }

    private More taken() {
        unseen.removeIf(this::isSeen);
        return coming.values().stream()
                .reduce(new More(image.tablets().size(), image.nameBytes(), descriptions.getAsLong()), More::and);
    }

    /** Then it counts no more as one that comes. Some of its rows may have been read while others were being written. */
    private boolean isSeen(long tableId) {
        More more = coming.get(tableId);
        boolean isSeen = more == null || image.tablets(tableId).size() >= more.tablets();
        if (isSeen) {
            coming.remove(tableId);
        }
        return isSeen;
    }

    private String stand(More taken) {
        return taken.tablets() + " tablets with names of " + taken.nameBytes() + " bytes, and descriptions of "
                + taken.descriptions() + ", take " + taken.bytes() + " of " + mostBytes + " bytes";
    }

    private static String advice() {
        return "drop tables or merge tablets, or give all masters a larger heap or a larger master.tablets.bytes; what a table had"
                + " that was dropped counts until undelete.seconds are over";
    }
}
