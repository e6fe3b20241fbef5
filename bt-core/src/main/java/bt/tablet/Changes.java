package bt.tablet;

import static java.util.Objects.requireNonNull;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Slice;
import bt.model.CellKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Goes through what a memtable held when this was asked for, in the order of its keys, some changes at a time: each is a mutation of
 * its own, which were made together is not kept. One thread.
 */
public final class Changes {
    private final SkipList entries;
    private final Map<Integer, ChangeTimes> times;
    private final long highestServerTimestamp;
    private final Slice shown = new Slice();
    private int following;
    private long bytes;

    Changes(SkipList entries, List<ChangeTimes> times, long highestServerTimestamp) {
        this.entries = entries;
        this.times = times.stream().collect(Collectors.toMap(ChangeTimes::family, Function.identity()));
        this.highestServerTimestamp = highestServerTimestamp;
        this.following = entries.next(SkipList.NONE);
    }

    /** Whether there are no more. */
    public boolean isOver() {
        return following == SkipList.NONE;
    }

    /** What those that were given out have in keys and values. */
    public long bytes() {
        return bytes;
    }

    /** The next ones, so many that they have these bytes, or are all that is left; none at the end. */
    public List<ResolvedMutation> next(long most) throws CorruptionException {
        List<ResolvedMutation> some = new ArrayList<>();
        long before = bytes;
        while (following != SkipList.NONE && bytes - before < most) {
            entries.showKey(following, shown);
            Bytes key = shown.toBytes();
            entries.showValue(following, shown);
            Bytes value = shown.toBytes();
            CellKey decoded = CellKey.decode(key);
            some.add(new ResolvedMutation(
                    decoded.row(),
                    decoded.sequence(),
                    madeMicros(decoded, requireNonNull(times.get(decoded.family()))),
                    List.of(new Entry(key, value))));
            bytes += key.length() + value.length();
            following = entries.next(following);
        }
        return some;
    }

    /**
     * When the change was made, or earlier, as far as that is still known: never later, or what it hides would be taken for
     * hidden since then alone. A put that has its time from the server was made at that time, so the highest of these is kept.
     */
    private long madeMicros(CellKey key, ChangeTimes first) {
        if (key.kind().isDeletion()) {
            return first.deletionMicros();
        }
        boolean atServerTime = first.putMicros() <= key.timestamp() && key.timestamp() <= highestServerTimestamp;
        return atServerTime ? key.timestamp() : first.putMicros();
    }
}
