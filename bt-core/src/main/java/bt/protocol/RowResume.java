package bt.protocol;

import bt.base.Bytes;
import java.util.List;

/**
 * Where to go on inside a row: after this cell key, seeing what the row's first page saw (the tablet's highest visible
 * sequence, the time in microseconds that ages were judged by). The filter goes on with what its parts that count had
 * counted of the row before this key's column.
 */
public record RowResume(Bytes afterKey, long sequence, long nowMicros, List<Integer> counted) {
    public RowResume {
        counted = List.copyOf(counted);
    }

    /** With a filter that counts nothing. */
    public RowResume(Bytes afterKey, long sequence, long nowMicros) {
        this(afterKey, sequence, nowMicros, List.of());
    }
}
