package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.testing.FormatPage;
import bt.testing.SeededTest;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ResolvedMutationTest {
    private static final Bytes ROW = Bytes.utf8("r");
    private static final ResolvedMutation EXAMPLE = new ResolvedMutation(
            ROW,
            5,
            0,
            List.of(
                    new Entry(
                            new CellKey(ROW, 7, Optional.of(Bytes.utf8("q")), 3, 5, Kind.PUT).encode(),
                            Bytes.utf8("v")),
                    new Entry(
                            new CellKey(ROW, 2, Optional.empty(), CellKey.NO_TIMESTAMP, 6, Kind.DELETE_FAMILY).encode(),
                            Bytes.EMPTY),
                    new Entry(
                            new CellKey(ROW, 0, Optional.empty(), CellKey.NO_TIMESTAMP, 7, Kind.DELETE_ROW).encode(),
                            Bytes.EMPTY)));

    @Test
    void theExampleOfTheFormatPageIsTrue() throws IOException {
        Bytes body = FormatPage.of("resolved-mutation.md").example("resolved-mutation");

        assertThat(EXAMPLE.encodeBody()).isEqualTo(body);
        assertThat(ResolvedMutation.decodeBody(ROW, 5, 0, body)).isEqualTo(EXAMPLE);
    }

    @Test
    void aFormatOfTheFutureIsRefused() {
        assertThatThrownBy(() -> ResolvedMutation.decodeBody(ROW, 5, 0, Bytes.hex("0201")))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("mutation of row r with sequence 5")
                .hasMessageContaining("format 2 is not known");
    }

    @SeededTest(runs = 50)
    void whatWasEncodedIsDecoded(RandomGenerator random) throws BigtableException {
        RandomTable table = new RandomTable(random);
        ResolvedMutation mutation =
                Resolver.resolve(table.mutation(), RandomTable.schema(4), 1 + random.nextInt(1000), 77);

        assertThat(ResolvedMutation.decodeBody(
                        mutation.row(), mutation.firstSequence(), mutation.timestamp(), mutation.encodeBody()))
                .isEqualTo(mutation);
    }

    /** Each write of a server is encoded by its commit thread, into room that is there. */
    @Test
    void toBeEncodedLeavesNeitherACopyNorADecodedKey() throws CorruptionException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        CellKey key = new CellKey(ROW, 7, Optional.of(Bytes.utf8("q")), 3, 5, Kind.PUT);
        ResolvedMutation put =
                new ResolvedMutation(ROW, 5, 3, List.of(new Entry(key.encode(), Bytes.wrap(new byte[1000]))));
        Output out = new Output();
        int times = 2000;
        long before = 0;
        for (int i = 0; i < 2 * times; i++) {
            if (i == times) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            out.clear();
            put.encodeBody(out);
        }
        assertThat((threads.getCurrentThreadAllocatedBytes() - before) / times).isLessThan(200);
    }

    @SeededTest(runs = 300)
    void anyBytesAreAMutationOrCorruption(RandomGenerator random) throws BigtableException {
        byte[] body = Resolver.resolve(new RandomTable(random).mutation(), RandomTable.schema(4), 1, 77)
                .encodeBody()
                .toArray();
        body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
        Bytes damaged = Bytes.copyOf(body, 0, random.nextInt(4) == 0 ? random.nextInt(body.length) : body.length);
        try {
            ResolvedMutation decoded = ResolvedMutation.decodeBody(ROW, 1, 77, damaged);
            assertThat(decoded.encodeBody()).isNotNull();
        } catch (CorruptionException expected) {
            assertThat(expected).hasMessageStartingWith("mutation of row r with sequence 1 at ");
        }
    }
}
