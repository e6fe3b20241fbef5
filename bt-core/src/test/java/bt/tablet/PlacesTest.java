package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.testing.SeededTest;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private static final long SEQUENCES = 1_000_000;

    private static Bytes saved(Places places) {
        Output out = new Output();
        places.save(out);
        return out.toBytes();
    }

    private static Places restored(Bytes saved) throws CorruptionException {
        Places places = new Places();
        Input in = Input.of("places", saved);
        places.restore(in);
        in.end("places");
        return places;
    }

    @SeededTest(runs = 50)
    void whatWasSavedGoesOnAsItWas(RandomGenerator random) throws CorruptionException {
        Places places = new Places();
        for (int i = random.nextInt(300); i > 0; i--) {
            long from = random.nextLong(SEQUENCES);
            places.take(from, random.nextBoolean() ? Deletions.NEVER : from + random.nextLong(SEQUENCES));
        }
        Places same = restored(saved(places));
        for (int i = 0; i < 100; i++) {
            long from = random.nextLong(2 * SEQUENCES);
            long to = from + random.nextLong(SEQUENCES);
            assertThat(same.mostWithin(from, to)).isEqualTo(places.mostWithin(from, to));
        }
        assertThat(saved(same)).isEqualTo(saved(places));
    }

    @SeededTest(runs = 3)
    void twentyThousandVersionsGoWithAPage(RandomGenerator random) {
        Places places = new Places();
        long sequence = 5_000_000_000L;
        for (int i = 0; i < 20_000; i++) {
            sequence += 1 + random.nextInt(100);
            places.take(sequence, Deletions.NEVER);
        }
        assertThat(saved(places).length()).isLessThan(VersionFilter.MAX_MET_BYTES);
    }

    @Test
    void stepsThatAreNoneOfOursAreCorrupt() {
        Bytes fewerThanNone = new Output().varint(1).varint(7).signedVarint(-1).toBytes();
        assertThatThrownBy(() -> restored(fewerThanNone)).isInstanceOf(CorruptionException.class);
        Bytes backwards = new Output()
                .varint(2)
                .varint(Long.MAX_VALUE)
                .signedVarint(1)
                .varint(0)
                .signedVarint(1)
                .toBytes();
        assertThatThrownBy(() -> restored(backwards)).isInstanceOf(CorruptionException.class);
    }
}
