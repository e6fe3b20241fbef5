package bt.thrift.convert;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.RejectedException;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.RowMutation;
import bt.model.TableSchema;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Optional;
import org.apache.thrift.TBase;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TByteBuffer;

/** What a message holds once it is read: a value of the data model, or REJECTED, never a bug. */
class ConversionFuzzTest {
    private static final int MOST_ELEMENTS = 1_000;

    @FuzzTest
    void anyBytesAsAFilter(byte[] bytes) {
        Optional<bt.thrift.gen.Filter> given = read(bytes, new bt.thrift.gen.Filter());
        if (given.isPresent()) {
            try {
                Filter filter = Filters.of(given.get());
                assertThat(Filters.of(new bt.thrift.gen.Filter().setText(FilterText.print(filter))))
                        .isEqualTo(filter);
            } catch (RejectedException wrong) {
                assertThat(wrong.getMessage()).isNotBlank();
            }
        }
    }

    @FuzzTest
    void anyBytesAsAMutation(byte[] bytes) throws Exception {
        Optional<bt.thrift.gen.RowMutation> given = read(bytes, new bt.thrift.gen.RowMutation());
        if (given.isPresent()) {
            RowMutation mutation;
            try {
                mutation = Mutations.of(given.get());
            } catch (RejectedException wrong) {
                return;
            }
            bt.thrift.gen.RowMutation again = CallerSide.sent(CallerSide.of(mutation), new bt.thrift.gen.RowMutation());
            assertThat(Mutations.of(again)).isEqualTo(mutation);
        }
    }

    @FuzzTest
    void anyBytesAsAConditionalMutation(byte[] bytes) throws Exception {
        Optional<bt.thrift.gen.ConditionalMutation> given = read(bytes, new bt.thrift.gen.ConditionalMutation());
        if (given.isPresent()) {
            ConditionalMutation mutation;
            try {
                mutation = Mutations.conditional(given.get());
            } catch (RejectedException wrong) {
                return;
            }
            assertThat(mutation.passes().size() + mutation.otherwise().size()).isPositive();
        }
    }

    @FuzzTest
    void anyBytesAsAScan(byte[] bytes) {
        Optional<bt.thrift.gen.Scan> given = read(bytes, new bt.thrift.gen.Scan());
        if (given.isPresent()) {
            try {
                PageRequest page = PageRequest.of(given.get());
                assertThat(page.rows()).isBetween(1, PageRequest.MAX_ROWS);
                assertThat(page.bytes()).isBetween(1, PageRequest.MAX_BYTES);
            } catch (RejectedException wrong) {
                assertThat(wrong.getMessage()).isNotBlank();
            }
        }
    }

    @FuzzTest
    void anyBytesAsATable(byte[] bytes) throws Exception {
        Optional<bt.thrift.gen.Table> given = read(bytes, new bt.thrift.gen.Table());
        if (given.isPresent()) {
            TableSchema schema;
            try {
                schema = Tables.draft(given.get());
            } catch (RejectedException wrong) {
                return;
            }
            assertThat(Tables.draft(CallerSide.sent(Tables.of(schema), new bt.thrift.gen.Table())))
                    .isEqualTo(schema);
        }
    }

    /** As the gateway's own protocol would read it from a frame; what it does with frames is a matter of GatewayFuzzTest. */
    private static <T extends TBase<T, ?>> Optional<T> read(byte[] bytes, T empty) {
        try {
            TConfiguration bounds = new TConfiguration(1 << 20, 1 << 20, TConfiguration.DEFAULT_RECURSION_DEPTH);
            TByteBuffer frame = new TByteBuffer(bounds, java.nio.ByteBuffer.wrap(bytes));
            empty.read(new TCompactProtocol(frame, MOST_ELEMENTS, MOST_ELEMENTS));
            return Optional.of(empty);
        } catch (TException malformed) {
            return Optional.empty();
        }
    }
}
