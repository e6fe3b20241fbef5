package bt.thrift.convert;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.ReadAmount;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.testing.SeededTest;
import bt.thrift.gen.Scan;
import bt.thrift.gen.Table;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocolFactory;

class ConversionPropertyTest {
    @SeededTest
    void aMutationArrivesAsItWasSent(RandomGenerator random) throws TException, RejectedException {
        Arbitrary any = new Arbitrary(random);
        RowMutation mutation = new RowMutation(any.key(), any.changes());

        bt.thrift.gen.RowMutation arrived = CallerSide.sent(CallerSide.of(mutation), new bt.thrift.gen.RowMutation());

        assertThat(Mutations.of(arrived)).isEqualTo(mutation);
    }

    @SeededTest
    void aTableIsDescribedAsItCanBeCreated(RandomGenerator random) throws TException, RejectedException {
        TableSchema schema = new Arbitrary(random).draft();

        Table arrived = CallerSide.sent(Tables.of(schema), new Table());

        assertThat(Tables.draft(arrived)).isEqualTo(schema);
    }

    @SeededTest
    void aTableIsNeverLargerThanItWasTakenFor(RandomGenerator random) throws TException {
        TableSchema schema = new Arbitrary(random).draft();

        for (TProtocolFactory protocol : List.of(new TCompactProtocol.Factory(), new TBinaryProtocol.Factory())) {
            byte[] sent = new TSerializer(protocol).serialize(Tables.of(schema));
            assertThat((long) sent.length).isLessThanOrEqualTo(Tables.bytes(schema));
        }
    }

    @SeededTest
    void aRowArrivesAsItWasRead(RandomGenerator random) throws TException {
        Row row = new Arbitrary(random).row();

        bt.thrift.gen.Row arrived = CallerSide.sent(Rows.of(row), new bt.thrift.gen.Row());

        assertThat(CallerSide.of(arrived)).isEqualTo(row);
    }

    @SeededTest
    void aRowIsNeverLargerThanItWasTakenFor(RandomGenerator random) throws TException {
        Row row = new Arbitrary(random).row();

        for (TProtocolFactory protocol : List.of(new TCompactProtocol.Factory(), new TBinaryProtocol.Factory())) {
            byte[] sent = new TSerializer(protocol).serialize(Rows.of(row));
            assertThat((long) sent.length).isLessThanOrEqualTo(Rows.bytes(row));
        }
    }

    @SeededTest
    void aTokenGoesOnWhereItsPageEnded(RandomGenerator random) throws RejectedException {
        Arbitrary any = new Arbitrary(random);
        List<Bytes> rows =
                Stream.generate(any::key).limit(3).sorted().distinct().toList();
        Bytes middle = rows.get(rows.size() / 2);
        Bytes end = rows.get(rows.size() - 1).successor();
        Scan scan = new Scan().setStartRow(rows.get(0).toArray()).setEndRow(end.toArray());

        ByteBuffer token = new ResumeToken(middle, ReadAmount.NONE).encode();
        bt.client.Scan rest =
                ResumeToken.of(token).orElseThrow().rest(PageRequest.of(scan).scan());

        assertThat(rest.walk()).isEqualTo(RowWalk.over(RowRange.of(middle, end)));
    }

    @SeededTest
    void aTokenKeepsWhatItsScanHasTaken(RandomGenerator random) throws RejectedException {
        ReadAmount taken = new ReadAmount(
                random.nextLong(Long.MAX_VALUE), random.nextLong(Long.MAX_VALUE), random.nextLong(Long.MAX_VALUE));
        ResumeToken token = new ResumeToken(new Arbitrary(random).key(), taken);

        assertThat(ResumeToken.of(token.encode())).contains(token);
    }

    @SeededTest
    void aConditionalMutationArrivesAsItWasSent(RandomGenerator random) throws TException, RejectedException {
        Arbitrary any = new Arbitrary(random);
        ConditionalMutation mutation = new ConditionalMutation(any.key(), Filter.ALL, any.changes(), any.changes());

        bt.thrift.gen.ConditionalMutation arrived =
                CallerSide.sent(CallerSide.of(mutation), new bt.thrift.gen.ConditionalMutation());

        assertThat(Mutations.conditional(arrived)).isEqualTo(mutation);
    }
}
