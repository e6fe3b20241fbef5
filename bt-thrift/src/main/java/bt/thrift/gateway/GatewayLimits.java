package bt.thrift.gateway;

import static bt.base.Check.checkArgument;

/**
 * How much the gateway lets its callers have, and for how long.
 *
 * @param connections open at a time; one more is closed at once
 * @param callsAtWork that the cluster is asked at a time; others wait
 * @param turnMillis how long a call waits for its turn before it is OVERLOADED
 * @param frameBytes the length of a frame, of either direction
 * @param frameRoomBytes what frames longer than 64 KiB may take in memory at a time
 * @param firstFrameMillis how long a new connection may be silent
 * @param idleMillis how long a connection may be silent between two calls
 * @param frameMillis how long a frame may take from its first byte to its last, and an answer until it is taken
 * @param complaintsAMinute how many lines the log is told of connections that are closed or refused: whoever opens them could fill it
 */
public record GatewayLimits(
        int connections,
        int callsAtWork,
        long turnMillis,
        int frameBytes,
        int frameRoomBytes,
        long firstFrameMillis,
        long idleMillis,
        long frameMillis,
        int complaintsAMinute) {
    /** The frame that Thrift's own libraries accept unless told otherwise, in every language. */
    private static final int FRAME_BYTES = 16_384_000;

    /** Objects made of a frame are larger than the frame. */
    private static final int SHARE_OF_HEAP = 16;

    private static final int SHARE_OF_LOOKS = 8;

    public GatewayLimits {
        checkArgument(connections > 0 && callsAtWork > 0, "%d connections, %d calls", connections, callsAtWork);
        checkArgument(frameRoomBytes >= frameBytes, "room of %d for frames of %d", frameRoomBytes, frameBytes);
    }

    /** Looks of callers that wait for an operation, which are no calls at work, at a time. */
    int looksAtATime() {
        return Math.max(1, callsAtWork / SHARE_OF_LOOKS);
    }

    static GatewayLimits forHeap(long heapBytes) {
        int room = (int) Math.min(Integer.MAX_VALUE, Math.max(2 * FRAME_BYTES, heapBytes / SHARE_OF_HEAP));
        return new GatewayLimits(1_024, 64, 10_000, FRAME_BYTES, room, 60_000, 600_000, 30_000, 60);
    }
}
