package bt.master;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.TabletId;
import java.util.Collection;
import java.util.Optional;

/**
 * How much of a master's memory what it knows of users' tablets may take. It has to know all of them, and so has the master
 * that follows it: with more than there is memory for none could be a master, and nobody could drop a table to make room. So
 * what users ask for that makes tablets is refused before. Owned by the master's thread.
 */
final class TabletRoom {
    /** Of a master's heap, where nothing else is set. */
    private static final int SHARE_OF_HEAP = 4;

    /** Of each tablet beside its name, as docs/performance.md measures it. */
    private static final int TABLET_BYTES = 800;

    /** Of a tablet's name: in its row, in the key of that, in the row of the tablet behind it, and twice in what its server says. */
    private static final int NAMES = 5;

    private final TabletImage image;
    private final long mostBytes;

    /** So many bytes; 0: the share of a heap of this size. */
    TabletRoom(TabletImage image, long mostBytes, long heapBytes) {
        checkArgument(mostBytes >= 0 && heapBytes > 0, "%d bytes of a heap of %d", mostBytes, heapBytes);
        this.image = image;
        this.mostBytes = mostBytes == 0 ? heapBytes / SHARE_OF_HEAP : mostBytes;
    }

    /** Tablets that come to be, in number and with the bytes of all their names. */
    record More(long tablets, long nameBytes) {
        static More of(Collection<TabletId> tablets) {
            return new More(
                    tablets.size(),
                    tablets.stream()
                            .flatMap(id -> id.endRow().stream())
                            .mapToLong(Bytes::length)
                            .sum());
        }

        /** With the one that has no end row. */
        static More ofTable(Collection<Bytes> endRows) {
            return new More(
                    endRows.size() + 1,
                    endRows.stream().mapToLong(Bytes::length).sum());
        }
    }

    /** Whether there is no room for one more. */
    boolean isFull() {
        return mostBytes - taken() < TABLET_BYTES;
    }

    /** REJECTED where these find no room any more. */
    void check(String subject, More more) throws RejectedException {
        long wanted = bytes(more);
        if (wanted > mostBytes - taken()) {
            throw new RejectedException(
                    subject + ": " + more.tablets() + " more tablets take " + wanted + " bytes of the master's memory; "
                            + stand(),
                    advice());
        }
    }

    /** For operators, where there is no room for any more. */
    Optional<String> problem() {
        return isFull()
                ? Optional.of("no table is created, and no tablet split for its requests or because somebody asks: "
                        + stand() + ": " + advice())
                : Optional.empty();
    }

    private long taken() {
        return bytes(new More(image.tablets().size(), image.nameBytes()));
    }

    private static long bytes(More tablets) {
        return tablets.tablets() * TABLET_BYTES + NAMES * tablets.nameBytes();
    }

    private String stand() {
        return image.tablets().size() + " with names of " + image.nameBytes() + " bytes take " + taken() + " of "
                + mostBytes + " bytes";
    }

    private static String advice() {
        return "merge tablets, or give all masters a larger heap or a larger master.tablets.bytes; what a table had that was"
                + " dropped counts until undelete.seconds are over";
    }
}
