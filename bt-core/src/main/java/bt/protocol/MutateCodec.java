package bt.protocol;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.Change;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@link Request.Mutate}: table, for METADATA the master's epoch, count of writes, and of each write its row, id, condition and changes. Counts are
 * bounded over the whole request, because a decoded change takes many times the memory of its byte on the wire.
 */
final class MutateCodec {
    static final int WRITES_PER_REQUEST = 100_000;
    static final int CHANGES_PER_REQUEST = 2 * Limits.CHANGES_PER_MUTATION;

    /** Row length, id, no condition, count of changes, the shortest change. */
    private static final int LEAST_WRITE_BYTES = 1 + 8 + 1 + 1 + 1 + 1 + 1;

    /** In memory, of a write without its changes, and of what it is while it waits; of its bytes on the wire all are views. */
    private static final int MADE_BYTES = 200;

    /** Of a write without a condition and with few changes: its id, and what tells the changes apart. */
    private static final int OVERHEAD_BYTES = 64;

    private MutateCodec() {}

    static void encode(Request.Mutate request, Output out) {
        out.varint(request.tableId());
        if (request.tableId() == TableSchema.METADATA_ID) {
            out.varint(request.masterEpoch() + 1);
        }
        out.varint(request.writes().size());
        out.expect(bytes(request.writes(), out));
        for (Write write : request.writes()) {
            out.bytes(write.mutation().row());
            id(write.id(), out);
            ConditionCodec.encode(write.condition(), out);
            ConditionCodec.encode(write.mutation().changes(), out);
        }
    }

    /** About as many as they come to, without what is lent. */
    private static long bytes(List<Write> writes, Output out) {
        long bytes = 0;
        for (Write write : writes) {
            bytes += write.mutation().bytes() + OVERHEAD_BYTES;
            for (Change change : write.mutation().changes()) {
                if (change instanceof Change.SetCell set && out.borrows(set.value())) {
                    bytes -= set.value().length();
                }
            }
        }
        return bytes;
    }

    static Request.Mutate decode(Input in, Growth growth) throws BigtableException {
        long tableId = in.varint("table id");
        long masterEpoch =
                tableId == TableSchema.METADATA_ID ? in.varint("master epoch") - 1 : Request.Mutate.NO_MASTER;
        int count = Fields.count(in, "writes", LEAST_WRITE_BYTES);
        atMost(count, WRITES_PER_REQUEST, "writes in a request");
        growth.by(count, MADE_BYTES);
        List<Write> writes = new ArrayList<>(count);
        int changes = 0;
        FilterDecoder filters = null;
        for (int i = 0; i < count; i++) {
            Bytes row = in.bytes("row");
            WriteId id = new WriteId(in.u64("client"), in.varint("write number"), in.varint("lowest open number"));
            int kind = in.u8("condition");
            Optional<Condition> condition = Optional.empty();
            if (kind != ConditionCodec.NONE) {
                // One for all: few requests have any.
                filters = filters == null ? new FilterDecoder(growth) : filters;
                condition = Optional.of(ConditionCodec.decode(kind, in, filters, growth));
            }
            Write write = new Write(new RowMutation(row, ConditionCodec.changes(in, growth)), id, condition);
            changes += write.changes();
            atMost(changes, CHANGES_PER_REQUEST, "changes in a request");
            writes.add(write);
        }
        return new Request.Mutate(tableId, writes, masterEpoch);
    }

    private static void id(WriteId id, Output out) {
        out.u64(id.client()).varint(id.number()).varint(id.lowestOpen());
    }

    static void atMost(int count, int max, String what) throws RejectedException {
        if (count > max) {
            throw new RejectedException("request: " + count + " " + what + ", more than " + max, "send them in parts");
        }
    }
}
