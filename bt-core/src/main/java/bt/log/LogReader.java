package bt.log;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.UnavailableException;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.log.LogRecord.Kind;
import bt.log.SegmentBegin.Claim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads a stream, of which what is read is closed or fenced. Any thread, once it is there; whoever reads has one batch in memory at a
 * time.
 */
public final class LogReader {
    private final FileStore files;
    private final LogStream stream;
    private final List<Long> segments;

    /** The bytes of each, where they are known. */
    private final Map<Long, Long> sizes;

    /** Whether these are all there are: else what later ones would say of them is not known. */
    private final boolean isWhole;

    private final Map<Long, Claim> claims = new HashMap<>();
    private long oldestNeeded = 1;

    private LogReader(FileStore files, LogStream stream, List<Long> segments, Map<Long, Long> sizes, boolean isWhole) {
        this.files = files;
        this.stream = stream;
        this.segments = segments;
        this.sizes = sizes;
        this.isWhole = isWhole;
    }

    /** Looks at how every segment begins. CORRUPTION when one is missing that was not given up before. */
    public static LogReader open(FileStore files, LogStream stream) throws BigtableException {
        SortedMap<Long, Long> found = list(files, stream);
        LogReader reader = new LogReader(
                files, stream, List.copyOf(found.keySet()), Collections.unmodifiableSortedMap(found), true);
        for (long segment : reader.segments) {
            reader.readBeginning(segment);
        }
        reader.checkNoneIsMissing();
        return reader;
    }

    /**
     * Reads some segments that are closed, of a stream whose directory its writer has lost, and of which it may still write
     * others: {@link #isFinal} says of which of these those can say nothing more.
     */
    public static LogReader of(FileStore files, LogStream stream, List<Long> closed) {
        return new LogReader(files, stream, closed.stream().sorted().toList(), Map.of(), false);
    }

    /** Whether a segment can be read: nobody can write it any more. */
    public static boolean isClosed(FileStore files, LogStream stream, long segment) throws BigtableException {
        try {
            files.open(stream.path(segment)).close();
            return true;
        } catch (UnavailableException written) {
            return false;
        }
    }

    /** The segments of a stream that there are now, with their bytes as the file store tells them: of one that is closed, all. */
    public static SortedMap<Long, Long> list(FileStore files, LogStream stream) throws BigtableException {
        SortedMap<Long, Long> sizes = new TreeMap<>();
        for (FileInfo file : files.list(stream.directory())) {
            stream.segmentOf(file.name()).ifPresent(segment -> sizes.put(segment, file.bytes()));
        }
        return sizes;
    }

    /** Whether the reader has all segments of the stream. */
    public boolean isWhole() {
        return isWhole;
    }

    /** Whether what a segment was found to hold is all that will ever count of it: its writer finished it, or its log is whole. */
    public boolean isFinal(SegmentSummary found) {
        return isWhole || found.closed();
    }

    public LogStream stream() {
        return stream;
    }

    /** The numbers of the segments, in order. */
    public List<Long> segments() {
        return segments;
    }

    /** The bytes of each of them, where the reader has all. */
    public Map<Long, Long> sizes() {
        return sizes;
    }

    /**
     * For who reads segments in order: a batch whose writer was late is in two of them, and what comes again with an equal
     * sequence is left out, unless it was appended again on purpose.
     */
    public static LogConsumer once(LogConsumer consumer) {
        return new Elision(consumer);
    }

    /** Gives every record of the stream to {@code consumer}, once. */
    public List<SegmentSummary> readAll(LogConsumer consumer) throws BigtableException {
        LogConsumer once = once(consumer);
        List<SegmentSummary> found = new ArrayList<>();
        for (long segment : segments) {
            found.add(read(segment, once));
        }
        return found;
    }

    /**
     * Gives every whole batch of a segment to {@code consumer}, record by record. An end that its writer never finished
     * is left out; damage is CORRUPTION and names the offset. The difference is protocol, see
     * docs/formats/commit-log.md.
     */
    public SegmentSummary read(long segment, LogConsumer consumer) throws BigtableException {
        try (FileReader file = files.open(stream.path(segment))) {
            Optional<Claim> claim = Optional.ofNullable(claims.get(segment));
            return new SegmentReader(file, stream, segment, claim).read(consumer);
        }
    }

    /** What cannot be read here is judged when the segment itself is read: whole pieces behind it make it damage. */
    private void readBeginning(long segment) throws BigtableException {
        byte[] bytes;
        try (FileReader file = files.open(stream.path(segment))) {
            long wanted = Piece.nextChunk(SegmentHeader.bytes(stream)) + Piece.HEADER_BYTES + SegmentBegin.MAX_BYTES;
            bytes = new byte[(int) Math.min(wanted, file.length())];
            file.readFully(0, bytes, 0, bytes.length);
        }
        Optional<SegmentHeader> header = SegmentHeader.decode(stream, segment, bytes, bytes.length);
        if (header.isEmpty()) {
            return;
        }
        if (!header.get().hasBegin()) {
            takeClaim(new Claim(segment - 1, header.get().previousLength(), true));
            return;
        }
        int at = (int) header.get().nextBatch(SegmentHeader.bytes(stream));
        Optional<Piece> piece = Piece.decode(stream.salt(segment), at, bytes, at, bytes.length);
        if (piece.isPresent() && piece.get().isBegin()) {
            int payload = at + Piece.HEADER_BYTES;
            int end = (int) piece.get().end();
            SegmentBegin begin =
                    SegmentBegin.decode(new Input(stream.path(segment) + ", batch", payload, bytes, payload, end));
            oldestNeeded = Math.max(oldestNeeded, Math.min(begin.oldestNeeded(), segment));
            begin.claims().forEach(this::takeClaim);
        }
    }

    /** Several may be made on one segment: that it was closed says most, else the longest. */
    private void takeClaim(Claim claim) {
        claims.merge(claim.segment(), claim, (one, other) -> {
            if (one.closed() != other.closed()) {
                return one.closed() ? one : other;
            }
            return one.length() >= other.length() ? one : other;
        });
    }

    /** Old segments are deleted from the oldest on, and only after a later one has said that they may be. */
    private void checkNoneIsMissing() throws CorruptionException {
        long expected = segments.isEmpty() ? 0 : Math.min(segments.get(0), oldestNeeded);
        for (long segment : segments) {
            if (segment != expected) {
                throw new CorruptionException(stream.path(expected) + ": the segment is missing, but "
                        + stream.path(segment) + " follows it");
            }
            expected++;
        }
    }

    /** Lets each sequence through once. */
    private static final class Elision implements LogConsumer {
        private final LogConsumer consumer;
        private long newest = -1;

        private Elision(LogConsumer consumer) {
            this.consumer = consumer;
        }

        @Override
        public void accept(LogRecord entry) throws BigtableException {
            long sequence = entry.stamp().firstSequence();
            if (entry.kind() == Kind.COPY) {
                consumer.accept(entry);
            } else if (sequence > newest) {
                newest = sequence;
                consumer.accept(entry);
            }
        }
    }
}
