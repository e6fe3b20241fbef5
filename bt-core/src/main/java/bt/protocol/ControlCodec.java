package bt.protocol;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
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

    private static final List<Class<? extends SpecificRecord>> MESSAGES = List.of(
            AlterTable.class,
            ChangeAccess.class,
            CheckTable.class,
            ClusterStatus.class,
            ClusterStatusRequest.class,
            CreateTable.class,
            Done.class,
            DrainServer.class,
            DropTable.class,
            FlushTable.class,
            GarbageReport.class,
            GarbageRequest.class,
            LearnTable.class,
            LoadTablet.class,
            MergeTablets.class,
            MoveTablet.class,
            ProcessExited.class,
            ReachServer.class,
            Reached.class,
            RecoveryReport.class,
            RecoveryRequest.class,
            ServerDraining.class,
            ServerSizes.class,
            ServerStatus.class,
            ServerStatusRequest.class,
            SizesRequest.class,
            SplitTablet.class,
            StopProcess.class,
            SweepReport.class,
            SweepRequest.class,
            TableCreated.class,
            TableUndeleted.class,
            TabletSplit.class,
            TraceList.class,
            TracesRequest.class,
            TruncateTable.class,
            UndeleteTable.class,
            UnloadTablet.class,
            WorkOnTable.class,
            WorkReport.class,
            WorkRequest.class);

    private static final Map<String, Message> BY_NAME =
            MESSAGES.stream().map(Message::of).collect(Collectors.toMap(Message::name, Function.identity()));

    /** Over all messages in the order of their names. */
    static final long FINGERPRINT = SchemaNormalization.fingerprint64(MESSAGES.stream()
            .map(type -> SchemaNormalization.toParsingForm(Message.of(type).schema()))
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

    static SpecificRecord decode(Input in) throws BigtableException {
        Bytes name = in.raw("name of a control message", in.length("name of a control message", NAME_BYTES));
        Message message = BY_NAME.get(name.toUtf8());
        if (message == null) {
            throw in.corrupt("control message " + name + " is unknown");
        }
        long fingerprint = in.u64("fingerprint of the schema");
        if (fingerprint != message.fingerprint()) {
            throw new RejectedException(
                    "control message %s: schema %016x, this version knows %016x: upgrade the older of the two processes"
                            .formatted(message.name(), fingerprint, message.fingerprint()));
        }
        Bytes datum = in.bytes("control message");
        Input check = Input.of(message.name(), datum);
        DatumCheck.check(message.schema(), check);
        check.end("the record");
        return AvroBytes.decode(message.name(), datum, message.type());
    }

    private record Message(String name, long fingerprint, Schema schema, Class<? extends SpecificRecord> type) {
        static Message of(Class<? extends SpecificRecord> type) {
            Schema schema = SpecificData.get().getSchema(type);
            return new Message(schema.getName(), SchemaNormalization.parsingFingerprint64(schema), schema, type);
        }
    }
}
