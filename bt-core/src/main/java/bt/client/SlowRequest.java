package bt.client;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.record.RequestTrace;
import java.util.Optional;

/**
 * Where a request spent its time at a tablet server, and what it needed. A trace as section 9 of the paper has them.
 *
 * @param server the address, host:port
 * @param cameMicros when it came, in microseconds since 1970, by the server's clock
 * @param kind get, scan or write
 * @param user who sent it, and {@code client} from where
 * @param table its name; {@code ?} where the table is no more
 * @param row the first that it named
 * @param rows how many it wrote, or was shown, and {@code bytes} of the keys and values that it brought or took
 * @param failure what it was answered where that is one
 */
public record SlowRequest(
        String server,
        long cameMicros,
        String kind,
        String user,
        String client,
        String table,
        Bytes row,
        long rows,
        long bytes,
        Times times,
        Reading reading,
        Optional<String> failure) {
    /**
     * In microseconds.
     *
     * @param total until its answer was ready
     * @param queue until a thread took it up; 0 where the one did that it came in by
     * @param log of a write, from then until the log had it; a batch before its own is part of that
     * @param memtable of a write: into the memtable, and visible
     * @param disk how long it waited for the file store
     */
    public record Times(long total, long queue, long log, long memtable, long disk) {
        private static Times of(RequestTrace trace) {
            return new Times(
                    trace.getTotalMicros(),
                    trace.getQueueMicros(),
                    trace.getLogMicros(),
                    trace.getMemtableMicros(),
                    trace.getDiskMicros());
        }
    }

    /**
     * What it looked into.
     *
     * @param memtables how many
     * @param entriesFound what look-ups found in the scan cache, without a block
     * @param blocksFound those that the block cache had
     * @param blocksRead reads from the file store, of a block or of several at once, and {@code bytesRead} of these
     */
    public record Reading(int memtables, int entriesFound, int blocksFound, int blocksRead, long bytesRead) {
        private static Reading of(RequestTrace trace) {
            return new Reading(
                    trace.getMemtables(),
                    trace.getEntriesFound(),
                    trace.getBlocksFound(),
                    trace.getBlocksRead(),
                    trace.getBytesRead());
        }
    }

    static SlowRequest of(String server, String table, RequestTrace trace) {
        return new SlowRequest(
                server,
                trace.getCameMicros(),
                trace.getKind(),
                trace.getUser(),
                trace.getAddress(),
                table,
                AvroBytes.bytes(trace.getRow()),
                trace.getRows(),
                trace.getBytes(),
                Times.of(trace),
                Reading.of(trace),
                Optional.ofNullable(trace.getFailure()));
    }
}
