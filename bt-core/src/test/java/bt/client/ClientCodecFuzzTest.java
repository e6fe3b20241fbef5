package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.RowMutation;
import bt.model.RowSet;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** What an application keeps of a scan, a mutation or a place in a scan and hands back: what it was, or one clear refusal. */
class ClientCodecFuzzTest {
    @FuzzTest
    void anyBytesAsAScan(byte[] bytes) throws BigtableException {
        Scan scan;
        try {
            scan = ClientCodec.decodeScan("fuzz", Bytes.wrap(bytes));
        } catch (BigtableException refused) {
            assertThat(refused.kind()).isIn(Kind.CORRUPTION, Kind.REJECTED);
            return;
        }
        assertThat(ClientCodec.decodeScan("again", ClientCodec.encode(scan))).isEqualTo(scan);
    }

    @FuzzTest
    void anyBytesAsRows(byte[] bytes) throws BigtableException {
        RowSet rows;
        try {
            rows = ClientCodec.decodeRows("fuzz", Bytes.wrap(bytes));
        } catch (BigtableException refused) {
            assertThat(refused.kind()).isEqualTo(Kind.CORRUPTION);
            return;
        }
        assertThat(ClientCodec.decodeRows("again", ClientCodec.encode(rows))).isEqualTo(rows);
    }

    @FuzzTest
    void anyBytesAsAMutation(byte[] bytes) throws BigtableException {
        RowMutation mutation;
        try {
            mutation = ClientCodec.decodeMutation("fuzz", Bytes.wrap(bytes));
        } catch (BigtableException refused) {
            assertThat(refused.kind()).isIn(Kind.CORRUPTION, Kind.REJECTED);
            return;
        }
        assertThat(ClientCodec.decodeMutation("again", ClientCodec.encode(mutation)))
                .isEqualTo(mutation);
    }

    @FuzzTest
    void anyBytesAsAPosition(byte[] bytes) throws BigtableException {
        CellPosition position;
        try {
            position = CellPosition.decode(Bytes.wrap(bytes));
        } catch (RejectedException foreign) {
            return;
        }
        assertThat(CellPosition.decode(position.encode())).isEqualTo(position);
    }
}
