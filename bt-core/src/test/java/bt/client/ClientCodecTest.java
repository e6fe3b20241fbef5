package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.protocol.PageBounds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClientCodecTest {
    private static final Scan SCAN = Scan.of(RowRange.of(Bytes.utf8("a"), Bytes.utf8("b")))
            .filtered(new Filter.Chain(List.of(
                    new Filter.Families(List.of("contents")),
                    new Filter.Script("groovy", "true", Bytes.utf8("argument")))))
            .pages(new PageBounds(1, 2, 3));
    private static final RowMutation MUTATION = RowMutation.of("com.cnn.www")
            .set(ColumnKey.of("anchor", "cnnsi.com"), 9, Bytes.utf8("CNN"))
            .deleteFamily("contents")
            .build();

    @Test
    void aScanComesBackAsItWas() throws BigtableException {
        assertThat(ClientCodec.decodeScan("a test", ClientCodec.encode(SCAN))).isEqualTo(SCAN);
    }

    @Test
    void soDoOneOfManyRowsDownwardsAndWhatLimitsIt() throws BigtableException {
        RowSet rows = RowSet.of(RowRange.row(Bytes.utf8("a")), RowRange.after(Bytes.utf8("c")));
        Scan scan = Scan.of(rows).reversed().limited(new ReadLimits(1, 2, 300));
        assertThat(ClientCodec.decodeScan("a test", ClientCodec.encode(scan))).isEqualTo(scan);
    }

    /** A request has 10,000 at most. */
    @Test
    void soDoesOneOfMoreRowsThanARequestMayHaveOrOfNone() throws BigtableException {
        List<Bytes> rows = IntStream.range(0, 20_001)
                .mapToObj(i -> Bytes.utf8(String.format("%05d", i)))
                .toList();
        for (Scan scan :
                List.of(Scan.of(RowSet.rows(rows)), Scan.of(RowSet.NONE).reversed())) {
            assertThat(ClientCodec.decodeScan("a test", ClientCodec.encode(scan)))
                    .isEqualTo(scan);
        }
    }

    @Test
    void soDoRowsAloneWhateverTheirEnds() throws BigtableException {
        RowSet ends = RowSet.of(
                RowRange.of(Bytes.wrap(new byte[200_000]), Bytes.wrap(new byte[300_000])),
                RowRange.from(Bytes.utf8("z")));
        for (RowSet rows : List.of(ends, RowSet.ALL, RowSet.NONE)) {
            assertThat(ClientCodec.decodeRows("a test", ClientCodec.encode(rows)))
                    .isEqualTo(rows);
        }
        Bytes encoded = ClientCodec.encode(ends);
        assertThatThrownBy(() -> ClientCodec.decodeRows("a test", encoded.slice(0, encoded.length() - 1)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith("a test ");
    }

    @Test
    void aMutationComesBackAsItWas() throws BigtableException {
        assertThat(ClientCodec.decodeMutation("a test", ClientCodec.encode(MUTATION)))
                .isEqualTo(MUTATION);
    }

    @Test
    void oneIsNotTheOther() {
        assertThatThrownBy(() -> ClientCodec.decodeScan("a test", ClientCodec.encode(MUTATION)))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("a test: ");
        assertThatThrownBy(() -> ClientCodec.decodeMutation("a test", ClientCodec.encode(SCAN)))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("a test: ");
    }

    @Test
    void halfAScanIsCorruption() {
        Bytes encoded = ClientCodec.encode(SCAN);
        assertThatThrownBy(() -> ClientCodec.decodeScan("a test", encoded.slice(0, encoded.length() / 2)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith("a test ");
    }
}
