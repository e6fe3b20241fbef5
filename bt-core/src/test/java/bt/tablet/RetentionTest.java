package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.tablet.Retention.Verdict;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One column that had a hundred thousand versions, each of which was deleted: no verdict may take a look at all before it. */
class RetentionTest {
    private static final int MANY = 100_000;
    private static final int FAMILY_OF_ONE_VERSION = 1;

    private final Map<Verdict, Integer> ofPuts = new EnumMap<>(Verdict.class);
    private final Map<Verdict, Integer> ofDeletions = new EnumMap<>(Verdict.class);

    @Test
    @Timeout(20)
    void aMergingCompactionKeepsDeletionsAndGhosts() throws CorruptionException {
        judgeAll(new Retention(RandomTable.schema(4), scope(false)), Kind.DELETE_VERSION);

        assertThat(ofPuts).containsExactly(Map.entry(Verdict.GHOST, MANY));
        assertThat(ofDeletions).containsExactly(Map.entry(Verdict.KEEP, MANY));
    }

    @Test
    @Timeout(20)
    void aMajorCompactionDropsAllThatWasDeleted() throws CorruptionException {
        judgeAll(new Retention(RandomTable.schema(4), scope(true)), Kind.DELETE_VERSION);

        assertThat(ofPuts).containsExactly(Map.entry(Verdict.DROP, MANY));
        assertThat(ofDeletions).containsExactly(Map.entry(Verdict.DROP, MANY));
    }

    @Test
    @Timeout(20)
    void deletionsThatReachToTheOldestVersionAreManyAtEveryOlderOne() throws CorruptionException {
        judgeAll(new Retention(RandomTable.schema(4), scope(true)), Kind.DELETE_VERSIONS);

        assertThat(ofPuts).containsExactly(Map.entry(Verdict.DROP, MANY));
    }

    /** In the order of keys: of each timestamp the deletion, which was made right after the put, and the put. */
    private void judgeAll(Retention retention, Kind deletion) throws CorruptionException {
        Bytes oldest = deletion == Kind.DELETE_VERSIONS ? new Output().bigU64(0).toBytes() : Bytes.EMPTY;
        for (int i = MANY; i > 0; i--) {
            ofDeletions.merge(judge(retention, key(i, 2L * i + 1, deletion), oldest), 1, Integer::sum);
            ofPuts.merge(judge(retention, key(i, 2L * i, Kind.PUT), Bytes.utf8("v")), 1, Integer::sum);
        }
    }

    private static Verdict judge(Retention retention, Bytes key, Bytes value) throws CorruptionException {
        boolean unused = retention.enters(Slice.of(key));
        return retention.judge(Slice.of(key), Slice.of(value));
    }

    private static Bytes key(long timestamp, long sequence, Kind kind) {
        return new CellKey(
                        Bytes.utf8("row"), FAMILY_OF_ONE_VERSION, Optional.of(Bytes.EMPTY), timestamp, sequence, kind)
                .encode();
    }

    private static CompactionScope scope(boolean hasAllOlder) {
        return new CompactionScope(CellKey.MAX_SEQUENCE, 0, hasAllOlder, true);
    }
}
