package bt.protocol;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Where to go on inside a row: after this cell key, seeing what the row's first page saw (the tablet's highest visible
 * sequence, the time in microseconds that ages were judged by). The filter goes on with what its parts that count had
 * counted of the row before this key's column, or, where it is told what the last page met, with that: bytes of the server
 * that answered, for whichever has the row by then.
 */
public record RowResume(Bytes afterKey, long sequence, long nowMicros, List<Integer> counted, Bytes met) {
    /** For a sequence: the latest there is, and the time of then; what the row's first page saw may be gone. */
    public static final long LATEST = Long.MAX_VALUE;

    /** Of what was met: a key, the counts of a filter, and 64 KiB of deletions and places. */
    static final int MET_BYTES = 512 << 10;

    public RowResume {
        counted = List.copyOf(counted);
    }

    /** With a filter that counts nothing, from the beginning of the key's column. */
    public RowResume(Bytes afterKey, long sequence, long nowMicros) {
        this(afterKey, sequence, nowMicros, List.of(), Bytes.EMPTY);
    }

    /** Key, sequence, time, and how many counts; then these, and what was met. */
    public void encode(Output out) {
        out.bytes(afterKey).varint(sequence).u64(nowMicros);
        out.varint(counted.size());
        counted.forEach(out::varint);
        out.bytes(met);
    }

    public static RowResume decode(Input in) throws CorruptionException {
        return new RowResume(
                in.bytes("resume key"), in.varint("resume sequence"), in.u64("resume time"), counted(in), met(in));
    }

    /** What is longer no server has sent: taken apart it would need many times its bytes. */
    private static Bytes met(Input in) throws CorruptionException {
        Bytes met = in.bytes("what was met");
        if (met.length() > MET_BYTES) {
            throw in.corrupt("what was met has " + met.length() + " bytes, more than " + MET_BYTES);
        }
        return met;
    }

    private static List<Integer> counted(Input in) throws CorruptionException {
        int count = in.length("counts of the filter", Limits.FILTER_PARTS);
        List<Integer> counted = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            counted.add(in.length("count of the filter", Integer.MAX_VALUE));
        }
        return counted;
    }

    /** Behind the same key in the row as it is by then. */
    public RowResume latest() {
        return new RowResume(afterKey, LATEST, nowMicros, counted, Bytes.EMPTY);
    }
}
