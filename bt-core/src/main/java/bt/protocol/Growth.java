package bt.protocol;

import bt.base.OverloadedException;

/**
 * What a request is made into in memory, which may be many times its bytes on the wire: counted piece by piece before it is
 * made, and asked for in larger ones, or a request would ask for each byte. One request; one thread.
 */
final class Growth {
    private static final int PIECE_BYTES = 64 << 10;

    private final Room room;
    private long owed;

    Growth(Room room) {
        this.room = room;
    }

    /** So many objects of so many bytes each are about to be made. OVERLOADED where there is no room for them. */
    void by(int objects, int bytesOfEach) throws OverloadedException {
        owed += (long) objects * bytesOfEach;
        if (owed > PIECE_BYTES) {
            end();
        }
    }

    /** Behind the last of them. */
    void end() throws OverloadedException {
        if (owed > 0) {
            room.take(owed);
            owed = 0;
        }
    }
}
