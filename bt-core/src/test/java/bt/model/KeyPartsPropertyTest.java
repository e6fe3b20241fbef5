package bt.model;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Slice;
import bt.model.CellKey.Kind;
import bt.model.CellKey.Level;
import bt.testing.SeededTest;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

class KeyPartsPropertyTest {
    @SeededTest(runs = 200)
    void findsInPlaceWhatIsDecoded(RandomGenerator random) throws CorruptionException {
        KeyParts parts = new KeyParts();
        for (int i = 0; i < 50; i++) {
            CellKey key = key(random);
            assertSame(parts, Optional.of(key), key.encode(), random);
        }
    }

    @SeededTest(runs = 200)
    void refusesWhatIsNotDecoded(RandomGenerator random) {
        KeyParts parts = new KeyParts();
        for (int i = 0; i < 50; i++) {
            Bytes damaged = damaged(key(random).encode().toArray(), random);
            Optional<CellKey> decoded = decoded(damaged);
            try {
                assertSame(parts, decoded, damaged, random);
            } catch (CorruptionException refused) {
                assertThat(decoded).as("%s", refused).isEmpty();
            }
        }
    }

    /** Where other bytes lie around the key. */
    private static void assertSame(KeyParts parts, Optional<CellKey> decoded, Bytes encoded, RandomGenerator random)
            throws CorruptionException {
        int from = random.nextInt(4);
        byte[] array = new byte[from + encoded.length() + random.nextInt(4)];
        random.nextBytes(array);
        encoded.copyTo(array, from);
        Slice slice = new Slice();
        slice.moveTo(array, from, encoded.length());

        parts.find(slice);

        assertThat(decoded).as("%s is decoded", encoded).isPresent();
        CellKey key = decoded.get();
        assertThat(parts.row()).isEqualTo(key.row());
        assertThat(parts.family()).isEqualTo(key.family());
        assertThat(parts.level()).isEqualTo(key.kind().level());
        assertThat(parts.rowLength()).isEqualTo(CellKey.rowPrefix(key.row()).length());
        assertThat(parts.columnLength()).isEqualTo(CellKey.columnPrefixLength(slice));
        if (parts.level() == Level.COLUMN) {
            assertThat(Optional.of(parts.qualifier())).isEqualTo(key.qualifier());
        }
    }

    private static Optional<CellKey> decoded(Bytes encoded) {
        try {
            return Optional.of(CellKey.decode(encoded));
        } catch (CorruptionException refused) {
            return Optional.empty();
        }
    }

    /** One byte changed, taken out, or put in. */
    private static Bytes damaged(byte[] key, RandomGenerator random) {
        int at = random.nextInt(key.length);
        byte other = (byte) (random.nextInt(5) - 2);
        return switch (random.nextInt(3)) {
            case 0 -> {
                key[at] = other;
                yield Bytes.wrap(key);
            }
            case 1 -> {
                byte[] shorter = new byte[key.length - 1];
                System.arraycopy(key, 0, shorter, 0, at);
                System.arraycopy(key, at + 1, shorter, at, shorter.length - at);
                yield Bytes.wrap(shorter);
            }
            default -> {
                byte[] longer = new byte[key.length + 1];
                System.arraycopy(key, 0, longer, 0, at);
                longer[at] = other;
                System.arraycopy(key, at, longer, at + 1, key.length - at);
                yield Bytes.wrap(longer);
            }
        };
    }

    private static CellKey key(RandomGenerator random) {
        List<Kind> kinds = List.of(Kind.values());
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        return new CellKey(
                string(random, 1),
                kind.level() == Level.ROW ? CellKey.ROW_LEVEL : 1 + random.nextInt(3),
                kind.level() == Level.COLUMN ? Optional.of(string(random, 0)) : Optional.empty(),
                random.nextLong(),
                random.nextLong(CellKey.MAX_SEQUENCE + 1),
                kind);
    }

    private static Bytes string(RandomGenerator random, int min) {
        byte[] bytes = new byte[min + random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(4) - 1);
        }
        return Bytes.wrap(bytes);
    }
}
