package bt.master;

import bt.base.BigtableException;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.record.RecoveryLine;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What the file store tells of a recovery: how much of the dead server's log is sorted, and from that how long it may take. */
final class RecoveryProgress {
    /** How segments begin that are sorted; the log of METADATA's tablets is read as it is. */
    private static final String USER = "user-";

    /** Below this share nothing is said of the rest. */
    private static final double LEAST_SHARE = 0.05;

    private RecoveryProgress() {}

    /** The line with what its log has. */
    static RecoveryLine of(RecoveryLine line, FileStore files) throws BigtableException {
        List<FileInfo> segments = segments(files, "recovered/" + line.getEpoch());
        if (segments.isEmpty()) {
            segments = segments(files, "log/" + line.getEpoch());
        }
        Set<String> sorted = files.list("recovered/" + line.getEpoch() + "/sorted").stream()
                .map(FileInfo::name)
                .collect(Collectors.toSet());
        List<FileInfo> done = segments.stream()
                .filter(segment -> sorted.contains(segment.name()))
                .toList();
        RecoveryLine known = RecoveryLine.newBuilder(line)
                .setSegments(segments.size())
                .setBytes(bytes(segments))
                .setSortedSegments(done.size())
                .setSortedBytes(bytes(done))
                .build();
        known.setLeftMillis(leftMillis(known));
        return known;
    }

    /** Sorting is one half of the work, as far as there is something to sort, loading tablets the other. */
    static long leftMillis(RecoveryLine line) {
        double served = share(line.getTabletsServed(), line.getTabletsServed() + (long) line.getTabletsWaiting());
        double sorted = served == 1 ? 1 : share(line.getSortedBytes(), line.getBytes());
        double done = (Math.max(sorted, served) + served) / 2;
        return done < LEAST_SHARE ? -1 : Math.round(line.getMillis() * (1 - done) / done);
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    private static List<FileInfo> segments(FileStore files, String directory) throws BigtableException {
        return files.list(directory).stream()
                .filter(entry -> entry.name().startsWith(USER))
                .toList();
    }

    private static long bytes(List<FileInfo> files) {
        return files.stream().mapToLong(FileInfo::bytes).sum();
    }
}
