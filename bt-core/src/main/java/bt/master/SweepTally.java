package bt.master;

import bt.base.Clock;
import bt.record.GarbageLine;
import bt.record.GarbageReport;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/** Counts what a sweep of garbage sees and does. One thread. */
final class SweepTally {
    private static final int MAX_LINES = 1_000;

    private final Clock clock;
    private final long beganNanos;
    private final GarbageReport report;

    SweepTally(Clock clock, boolean dry) {
        this.clock = clock;
        this.beganNanos = clock.nanos();
        this.report = none();
        report.setBeganMicros(clock.micros());
        report.setDry(dry);
    }

    /** Of a master that has not swept yet. */
    static GarbageReport none() {
        return new GarbageReport(0L, 0L, false, 0, 0L, 0L, 0L, 0L, 0L, 0L, 0, 0, 0, new ArrayList<>(), null);
    }

    void sawTable() {
        report.setTables(report.getTables() + 1);
    }

    /** Files of a table. */
    void saw(Map<String, Long> files) {
        report.setFiles(report.getFiles() + files.size());
        report.setBytes(report.getBytes()
                + files.values().stream().mapToLong(Long::longValue).sum());
    }

    /** A file that nothing needs. */
    void found(String path, long bytes, long waitsMillis) {
        line(path, bytes, waitsMillis);
        if (waitsMillis > 0) {
            report.setWaitingFiles(report.getWaitingFiles() + 1);
            report.setWaitingBytes(report.getWaitingBytes() + bytes);
        } else {
            report.setDeletedFiles(report.getDeletedFiles() + 1);
            report.setDeletedBytes(report.getDeletedBytes() + bytes);
        }
    }

    /** A log that nothing needs. */
    void foundLog(String path, long bytes, long waitsMillis) {
        line(path, bytes, waitsMillis);
        if (waitsMillis == 0) {
            report.setDeletedLogs(report.getDeletedLogs() + 1);
        }
    }

    void removedRow() {
        report.setRemovedRows(report.getRemovedRows() + 1);
    }

    void forgotTable() {
        report.setForgottenTables(report.getForgottenTables() + 1);
    }

    GarbageReport report(Optional<String> problem) {
        report.setMillis((clock.nanos() - beganNanos) / 1_000_000);
        report.setProblem(problem.orElse(null));
        return report;
    }

    private void line(String path, long bytes, long waitsMillis) {
        if (report.getLines().size() < MAX_LINES) {
            report.getLines().add(new GarbageLine(path, bytes, waitsMillis));
        }
    }
}
