package bt.tablet;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Slice;
import bt.log.LogRecord;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Goes through the records of sorted runs in the order of all, one record of each run decoded at a time. One thread. */
final class RunMerge {
    private final PriorityQueue<Run> ahead = new PriorityQueue<>(
            Comparator.comparing(Run::entry, SortedRuns.ORDER).thenComparingInt(Run::number));

    private RunMerge() {}

    /** At the first record. Each run has one at least; {@code source} names them in messages. */
    static RunMerge of(String source, List<byte[]> runs) throws CorruptionException {
        RunMerge merge = new RunMerge();
        for (int number = 0; number < runs.size(); number++) {
            merge.ahead.add(new Run(source + ", run " + number + " in memory", number, runs.get(number)));
        }
        return merge;
    }

    /** Whether it stands at none: all have been seen. */
    boolean isAtEnd() {
        return ahead.isEmpty();
    }

    LogRecord entry() {
        return ahead.element().entry();
    }

    /** What the sorted segment has of the record; until {@link #next}. */
    Slice value() {
        return ahead.element().value();
    }

    void next() throws CorruptionException {
        Run run = ahead.remove();
        if (run.next()) {
            ahead.add(run);
        }
    }

    /** Of equal records that of the lower number came first. */
    private static final class Run {
        private final int number;
        private final byte[] bytes;
        private final Input in;
        private final Slice value = new Slice();
        private LogRecord entry;

        private Run(String source, int number, byte[] bytes) throws CorruptionException {
            this.number = number;
            this.bytes = bytes;
            this.in = new Input(source, 0, bytes, 0, bytes.length);
            this.entry = decode();
        }

        private int number() {
            return number;
        }

        private LogRecord entry() {
            return entry;
        }

        private Slice value() {
            return value;
        }

        private boolean next() throws CorruptionException {
            if (in.remaining() == 0) {
                return false;
            }
            entry = decode();
            return true;
        }

        private LogRecord decode() throws CorruptionException {
            int start = in.position();
            in.u8("format");
            LogRecord decoded = LogRecord.decodeNext(in, bytes);
            value.moveTo(bytes, start, in.position() - start);
            return decoded;
        }
    }
}
