package bt.rpc;

import java.util.Optional;

/**
 * Whether a connection gets on, looked at now and then: a frame whose beginning is here must go on to come as long as it is
 * read from, and answers that wait must be taken. The event loop of the connection owns it.
 */
final class StallWatch {
    private final FrameDecoder decoder;
    private boolean hasStoppedReading;
    private boolean wasMidFrame;
    private long framesThen;
    private long bytesThen;

    private long given;
    private long taken;
    private long givenThen;
    private long takenThen;

    StallWatch(FrameDecoder decoder) {
        this.decoder = decoder;
    }

    /** An answer of so many bytes is to be taken. */
    void sends(int bytes) {
        given += bytes;
    }

    /** It was, as a whole. */
    void sent(int bytes) {
        taken += bytes;
    }

    void stopsReading() {
        hasStoppedReading = true;
    }

    /**
     * What has stood still since the last look, which was that long ago. Of the first answer that waits so many bytes are
     * taken.
     */
    Optional<String> look(boolean isReading, long halfSent, int sinceMillis) {
        long least = Math.max(1, (long) RpcLimits.LEAST_BYTES_PER_SECOND * sinceMillis / 1000);
        boolean sameFrame = wasMidFrame && decoder.midFrame() && decoder.frames() == framesThen;
        boolean neverCame = sameFrame && isReading && !hasStoppedReading && decoder.bytes() - bytesThen < least;
        boolean neverTaken = taken + halfSent < givenThen && taken + halfSent - takenThen < least;
        wasMidFrame = decoder.midFrame();
        framesThen = decoder.frames();
        bytesThen = decoder.bytes();
        hasStoppedReading = !isReading;
        givenThen = given;
        takenThen = taken + halfSent;
        if (neverCame) {
            return Optional.of("a frame stood still");
        }
        return neverTaken ? Optional.of("its answers were not taken") : Optional.empty();
    }
}
