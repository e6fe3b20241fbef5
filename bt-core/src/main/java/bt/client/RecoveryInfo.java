package bt.client;

import bt.record.RecoveryLine;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A dead server whose tablets are on their way to others (section 5.2 of the paper).
 *
 * @param server its id; empty where this master knows its log alone
 * @param epoch under which it served
 * @param millis since this master found it dead
 * @param isLogClosed whether nobody can write its log any more, so that its tablets can be loaded
 * @param segments of its log
 * @param bytes of its log
 * @param sortedSegments those of which every tablet finds its own changes
 * @param sortedBytes of those
 * @param tabletsWaiting those that no other server serves yet
 * @param tabletsServed those that another serves
 * @param millisLeft an estimate; empty while there is nothing to estimate from
 */
public record RecoveryInfo(
        Optional<String> server,
        long epoch,
        long millis,
        boolean isLogClosed,
        int segments,
        long bytes,
        int sortedSegments,
        long sortedBytes,
        int tabletsWaiting,
        int tabletsServed,
        OptionalLong millisLeft) {
    static RecoveryInfo of(RecoveryLine line) {
        return new RecoveryInfo(
                line.getServer().isEmpty() ? Optional.empty() : Optional.of(line.getServer()),
                line.getEpoch(),
                line.getMillis(),
                line.getClosed(),
                line.getSegments(),
                line.getBytes(),
                line.getSortedSegments(),
                line.getSortedBytes(),
                line.getTabletsWaiting(),
                line.getTabletsServed(),
                line.getLeftMillis() < 0 ? OptionalLong.empty() : OptionalLong.of(line.getLeftMillis()));
    }
}
