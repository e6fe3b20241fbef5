package bt.model;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.base.Slice;
import bt.model.CellKey.Kind;
import bt.testing.SeededTest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

class CellKeyPropertyTest {
    private static final Comparator<CellKey> ORDER_OF_THE_DATA = Comparator.comparing(CellKey::row)
            .thenComparing(CellKey::family)
            .thenComparing(key -> key.qualifier().orElse(null), Comparator.nullsFirst(Comparator.<Bytes>naturalOrder()))
            .thenComparing(CellKey::timestamp, Comparator.reverseOrder())
            .thenComparing(CellKey::sequence, Comparator.reverseOrder())
            .thenComparing(key -> key.kind().number());

    @SeededTest(runs = 100)
    void bytewiseOrderIsTheOrderOfTheData(RandomGenerator random) {
        List<CellKey> keys = keys(random, 300);

        List<CellKey> byBytes =
                keys.stream().sorted(Comparator.comparing(CellKey::encode)).toList();

        assertThat(byBytes).isEqualTo(keys.stream().sorted(ORDER_OF_THE_DATA).toList());
    }

    @SeededTest(runs = 100)
    void whatWasEncodedIsDecoded(RandomGenerator random) throws CorruptionException {
        for (CellKey key : keys(random, 100)) {
            Bytes encoded = key.encode();
            assertThat(CellKey.decode(encoded)).isEqualTo(key);
            Slice inPlace = Slice.of(encoded);
            assertThat(CellKey.timestampOf(inPlace)).isEqualTo(key.timestamp());
            assertThat(CellKey.sequenceOf(inPlace)).isEqualTo(key.sequence());
            assertThat(CellKey.kindOf(inPlace)).isEqualTo(key.kind());
            if (key.qualifier().isPresent()) {
                assertThat(CellKey.qualifierOf(inPlace, CellKey.rowPrefixLength(inPlace)))
                        .isEqualTo(key.qualifier().get());
            }
            Output changed = new Output();
            CellKey.withSequence(inPlace, 77, changed);
            assertThat(CellKey.decode(changed.toBytes()).sequence()).isEqualTo(77);
        }
    }

    @SeededTest(runs = 100)
    void prefixesHoldWhatIsTheirsAndNothingElse(RandomGenerator random) {
        List<CellKey> keys = keys(random, 60);
        for (CellKey key : keys) {
            Bytes prefix = CellKey.rowPrefix(key.row());
            for (CellKey other : keys) {
                Bytes encoded = other.encode();
                assertThat(encoded.startsWith(prefix)).isEqualTo(other.row().equals(key.row()));
                assertThat(encoded.compareTo(prefix) >= 0 && encoded.compareTo(CellKey.rowEnd(key.row())) < 0)
                        .isEqualTo(other.row().equals(key.row()));
                if (key.qualifier().isPresent()) {
                    Bytes column = CellKey.columnPrefix(
                            key.row(), key.family(), key.qualifier().get());
                    assertThat(encoded.compareTo(column) >= 0 && encoded.compareTo(CellKey.endOf(column)) < 0)
                            .isEqualTo(sameColumn(key, other));
                }
            }
            assertThat(CellKey.rowPrefixLength(Slice.of(key.encode()))).isEqualTo(prefix.length());
        }
    }

    private static boolean sameColumn(CellKey key, CellKey other) {
        return key.row().equals(other.row())
                && key.family() == other.family()
                && key.qualifier().equals(other.qualifier());
    }

    private static List<CellKey> keys(RandomGenerator random, int count) {
        return Stream.generate(() -> key(random)).limit(count).toList();
    }

    private static CellKey key(RandomGenerator random) {
        Kind kind = Kind.of(1 + random.nextInt(Kind.values().length)).orElseThrow();
        Bytes row = string(random, 1);
        long timestamp = timestamp(random);
        long sequence = random.nextBoolean() ? random.nextInt(4) : random.nextLong(CellKey.MAX_SEQUENCE + 1);
        int family = random.nextBoolean() ? 1 + random.nextInt(3) : 1 + random.nextInt(Integer.MAX_VALUE);
        return switch (kind.level()) {
            case ROW -> new CellKey(row, CellKey.ROW_LEVEL, Optional.empty(), timestamp, sequence, kind);
            case FAMILY -> new CellKey(row, family, Optional.empty(), timestamp, sequence, kind);
            case COLUMN -> new CellKey(row, family, Optional.of(string(random, 0)), timestamp, sequence, kind);
        };
    }

    /** Few letters, most of them those that the escaping is about, so that prefixes and equals are frequent. */
    private static Bytes string(RandomGenerator random, int minLength) {
        byte[] letters = {0, 1, 2, 'a', (byte) 0xfe, (byte) 0xff};
        byte[] string = new byte[minLength + random.nextInt(4)];
        for (int i = 0; i < string.length; i++) {
            string[i] = letters[random.nextInt(letters.length)];
        }
        return Bytes.wrap(string);
    }

    private static long timestamp(RandomGenerator random) {
        long[] ends = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE};
        return random.nextBoolean() ? ends[random.nextInt(ends.length)] : random.nextLong();
    }
}
