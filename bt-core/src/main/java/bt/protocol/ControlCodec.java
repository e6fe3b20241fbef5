package bt.protocol;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.Limits;
import bt.record.AlterTable;
import bt.record.ChangeAccess;
import bt.record.CheckTable;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.CreateTable;
import bt.record.Done;
import bt.record.DrainServer;
import bt.record.DropTable;
import bt.record.FlushTable;
import bt.record.GarbageReport;
import bt.record.GarbageRequest;
import bt.record.LearnTable;
import bt.record.LoadTablet;
import bt.record.MergeTablets;
import bt.record.MoveTablet;
import bt.record.PassOn;
import bt.record.ProcessExited;
import bt.record.ReachServer;
import bt.record.Reached;
import bt.record.RecoveryReport;
import bt.record.RecoveryRequest;
import bt.record.ServerDraining;
import bt.record.ServerSizes;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.SizesRequest;
import bt.record.SplitTablet;
import bt.record.StopProcess;
import bt.record.SweepReport;
import bt.record.SweepRequest;
import bt.record.TableCreated;
import bt.record.TableUndeleted;
import bt.record.TabletSplit;
import bt.record.TraceList;
import bt.record.TracesRequest;
import bt.record.TruncateTable;
import bt.record.UndeleteTable;
import bt.record.UnloadTablet;
import bt.record.WorkOnTable;
import bt.record.WorkReport;
import bt.record.WorkRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * A control message: name of the record, fingerprint of its schema (CRC-64-AVRO), Avro binary. Only the records of this
 * table are messages, and a schema never comes from the wire: what another version wrote is refused unless its
 * fingerprint is known here.
 */
final class ControlCodec {
    private static final int NAME_BYTES = 100;

    /** Of the arrays of a request that holds no table: a list of rights with a thousand users is the longest. */
    private static final int REQUEST_ITEMS = 20_000;

    /** Of a table: its parts, 2,000 entries of rights with their lists, and 1,000 users' quotas. */
    private static final int SCHEMA_ITEMS = Limits.SCHEMA_PARTS + 15_000;

    /** With which a table may be created. */
    private static final int SPLIT_ROWS = 10_000;

    private static final List<Message> MESSAGES = List.of(
            Message.request(AlterTable.class, SCHEMA_ITEMS),
            Message.request(ChangeAccess.class),
            Message.request(CheckTable.class, SCHEMA_ITEMS),
            Message.answer(ClusterStatus.class),
            Message.request(ClusterStatusRequest.class),
            Message.request(CreateTable.class, SCHEMA_ITEMS + SPLIT_ROWS),
            Message.answer(Done.class),
            Message.request(DrainServer.class),
            Message.request(DropTable.class),
            Message.request(FlushTable.class),
            Message.answer(GarbageReport.class),
            Message.request(GarbageRequest.class),
            Message.request(LearnTable.class),
            Message.request(LoadTablet.class),
            Message.request(MergeTablets.class),
            Message.request(MoveTablet.class),
            Message.request(PassOn.class),
            Message.request(ProcessExited.class),
            Message.request(ReachServer.class),
            Message.answer(Reached.class),
            Message.answer(RecoveryReport.class),
            Message.request(RecoveryRequest.class),
            Message.answer(ServerDraining.class),
            Message.answer(ServerSizes.class),
            Message.answer(ServerStatus.class),
            Message.request(ServerStatusRequest.class, DatumCheck.ITEMS),
            Message.request(SizesRequest.class),
            Message.request(SplitTablet.class),
            Message.request(StopProcess.class),
            Message.answer(SweepReport.class),
            Message.request(SweepRequest.class),
            Message.answer(TableCreated.class),
            Message.answer(TableUndeleted.class),
            Message.answer(TabletSplit.class),
            Message.answer(TraceList.class),
            Message.request(TracesRequest.class),
            Message.request(TruncateTable.class),
            Message.request(UndeleteTable.class),
            Message.request(UnloadTablet.class),
            Message.request(WorkOnTable.class),
            Message.answer(WorkReport.class),
            Message.request(WorkRequest.class));

    private static final Map<String, Message> BY_NAME =
            MESSAGES.stream().collect(Collectors.toMap(Message::name, Function.identity()));

    /** Over all messages in the order of their names. */
    static final long FINGERPRINT = SchemaNormalization.fingerprint64(MESSAGES.stream()
            .map(message -> SchemaNormalization.toParsingForm(message.schema()))
            .sorted()
            .collect(Collectors.joining("\n"))
            .getBytes(StandardCharsets.UTF_8));

    private ControlCodec() {}

    static void encode(SpecificRecord record, Output out) {
        Schema schema = record.getSchema();
        Message message = BY_NAME.get(schema.getName());
        if (message == null) {
            throw new IllegalArgumentException(schema.getFullName() + " is not a control message");
        }
        out.text(message.name()).u64(message.fingerprint()).bytes(AvroBytes.encode(record));
    }

    /** Anybody may send it, and its memory is others': no more than what it is for takes, and only where that is. */
    static SpecificRecord decodeRequest(Input in, Room room) throws BigtableException {
        Message message = message(in);
        if (!message.isRequest()) {
            throw in.corrupt("control message " + message.name() + " is an answer");
        }
        return decode(message, in, room);
    }

    static SpecificRecord decodeAnswer(Input in) throws BigtableException {
        return decode(message(in), in, Room.ENDLESS);
    }

    private static Message message(Input in) throws BigtableException {
        Bytes name = in.raw("name of a control message", in.length("name of a control message", NAME_BYTES));
        Message message = BY_NAME.get(name.toUtf8());
        if (message == null) {
            throw in.corrupt("control message " + name + " is unknown");
        }
        long fingerprint = in.u64("fingerprint of the schema");
        if (fingerprint != message.fingerprint()) {
            throw new RejectedException(
                    "control message %s: schema %016x, this version knows %016x"
                            .formatted(message.name(), fingerprint, message.fingerprint()),
                    "upgrade the older of the two processes");
        }
        return message;
    }

    private static SpecificRecord decode(Message message, Input in, Room room) throws BigtableException {
        Bytes datum = in.bytes("control message");
        Input check = Input.of(message.name(), datum);
        long bytes = DatumCheck.check(message.schema(), message.maxItems(), check);
        check.end("the record");
        room.take(bytes);
        return AvroBytes.decode(message.name(), datum, message.type());
    }

    /** Of all arrays together it may have so many items. */
    private record Message(
            String name,
            long fingerprint,
            Schema schema,
            Class<? extends SpecificRecord> type,
            boolean isRequest,
            int maxItems) {
        static Message request(Class<? extends SpecificRecord> type) {
            return request(type, REQUEST_ITEMS);
        }

        static Message request(Class<? extends SpecificRecord> type, int maxItems) {
            return of(type, true, maxItems);
        }

        /** By whom was asked, whose word has to be taken anyway. */
        static Message answer(Class<? extends SpecificRecord> type) {
            return of(type, false, DatumCheck.ITEMS);
        }

        private static Message of(Class<? extends SpecificRecord> type, boolean isRequest, int maxItems) {
            Schema schema = SpecificData.get().getSchema(type);
            long fingerprint = SchemaNormalization.parsingFingerprint64(schema);
            return new Message(schema.getName(), fingerprint, schema, type, isRequest, maxItems);
        }
    }
}
