package bt.client;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.record.GarbageLine;
import bt.record.GarbageReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a sweep of the master over the cluster's files saw, and deleted: SSTables and logs that nothing needs, when their
 * grace is over (section 5.3 of the paper: mark and sweep).
 *
 * @param beganMicros when it began, in microseconds since 1970; empty where this master has swept nothing yet: then all else is
 *     0 or empty
 * @param millis how long it took
 * @param isDry whether it has deleted nothing, and tells what another would have
 * @param tables whose files it has looked at
 * @param files SSTables that it has found
 * @param bytes of those
 * @param waitingFiles of those the ones that nothing needs, and whose grace is not over
 * @param waitingBytes of those
 * @param deletedFiles those that it has deleted, or would have
 * @param deletedBytes of those
 * @param deletedLogs directories of logs that it has deleted, or would have
 * @param removedRows of METADATA, of tablets that have been gone for long
 * @param forgottenTables dropped ones of which nothing is left
 * @param garbage the first of what waits, and of what it has deleted, or would have
 * @param problem what ended it early; empty where it saw everything
 */
public record GarbageSweep(
        OptionalLong beganMicros,
        long millis,
        boolean isDry,
        int tables,
        long files,
        long bytes,
        long waitingFiles,
        long waitingBytes,
        long deletedFiles,
        long deletedBytes,
        int deletedLogs,
        int removedRows,
        int forgottenTables,
        List<Garbage> garbage,
        Optional<String> problem) {
    public GarbageSweep {
        garbage = List.copyOf(garbage);
    }

    /**
     * An SSTable, or the directory of a log, that nothing needs.
     *
     * @param path below the cluster's directory
     * @param waitsMillis how long it still waits; 0 when its grace is over
     */
    public record Garbage(String path, long bytes, long waitsMillis) {
        private static Garbage of(GarbageLine line) {
            return new Garbage(line.getPath(), line.getBytes(), line.getWaitsMillis());
        }
    }

    /**
     * The same, for who has waited for this sweep to end. UNAVAILABLE where it is of a master that has swept nothing yet: then that
     * which did it has ended before it could tell.
     *
     * @param id as {@link Operation#id}
     */
    public GarbageSweep after(String id) throws UnavailableException {
        if (beganMicros.isEmpty()) {
            throw new UnavailableException(
                    id + " is done, and the master that did it has ended: sweep again to see what is left",
                    Outcome.UNKNOWN);
        }
        return this;
    }

    static GarbageSweep of(GarbageReport report) {
        return new GarbageSweep(
                report.getBeganMicros() == 0 ? OptionalLong.empty() : OptionalLong.of(report.getBeganMicros()),
                report.getMillis(),
                report.getDry(),
                report.getTables(),
                report.getFiles(),
                report.getBytes(),
                report.getWaitingFiles(),
                report.getWaitingBytes(),
                report.getDeletedFiles(),
                report.getDeletedBytes(),
                report.getDeletedLogs(),
                report.getRemovedRows(),
                report.getForgottenTables(),
                report.getLines().stream().map(Garbage::of).toList(),
                Optional.ofNullable(report.getProblem()));
    }
}
