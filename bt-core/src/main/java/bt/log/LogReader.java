package bt.log;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads streams whose segments are all closed or fenced. Any thread; one batch is in memory at a time. */
public final class LogReader {
    private LogReader() {}

    /** The numbers of the stream's segments, in order; CORRUPTION when one before the last is missing. */
    public static List<Long> segments(FileStore files, LogStream stream) throws BigtableException {
        List<Long> segments = files.list(stream.directory()).stream()
                .map(FileInfo::name)
                .map(stream::segmentOf)
                .flatMap(number -> number.stream().boxed())
                .sorted()
                .toList();
        for (int i = 0; i < segments.size(); i++) {
            long expected = i + 1L;
            if (segments.get(i) != expected) {
                throw new CorruptionException(stream.path(expected) + ": the segment is missing, but "
                        + stream.path(segments.get(i)) + " follows it");
            }
        }
        return segments;
    }

    /**
     * Gives every whole batch of a segment to {@code consumer}, record by record. An end that its writer never finished
     * is left out; damage is CORRUPTION and names the offset. The difference is protocol, see
     * docs/formats/commit-log.md.
     */
    public static SegmentSummary read(FileStore files, LogStream stream, long segment, LogConsumer consumer)
            throws BigtableException {
        OptionalLong claimed = claimedLength(files, stream, segment);
        try (FileReader file = files.open(stream.path(segment))) {
            return new SegmentReader(file, stream, segment, claimed).read(consumer);
        }
    }

    /** How long the segment was according to the one after it. */
    private static OptionalLong claimedLength(FileStore files, LogStream stream, long segment)
            throws BigtableException {
        long next = segment + 1;
        if (!segments(files, stream).contains(next)) {
            return OptionalLong.empty();
        }
        try (FileReader file = files.open(stream.path(next))) {
            byte[] bytes = new byte[(int) Math.min(SegmentHeader.bytes(stream), file.length())];
            file.readFully(0, bytes, 0, bytes.length);
            Optional<SegmentHeader> header = SegmentHeader.decode(stream, next, bytes, bytes.length);
            return header.isPresent() ? OptionalLong.of(header.get().previousLength()) : OptionalLong.empty();
        }
    }
}
