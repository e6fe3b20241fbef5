package bt.protocol;

import bt.record.Records;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Control messages, their fields filled by their schemas. */
final class RandomRecords {
    private static final List<String> REQUESTS = List.of(
            "AlterTable",
            "CheckTable",
            "ClusterStatusRequest",
            "CreateTable",
            "DrainServer",
            "DropTable",
            "FlushTable",
            "GarbageRequest",
            "LearnTable",
            "LoadTablet",
            "MoveTablet",
            "PassOn",
            "ProcessExited",
            "ReachServer",
            "ServerStatusRequest",
            "SizesRequest",
            "StopProcess",
            "SweepRequest",
            "UndeleteTable",
            "UnloadTablet");

    private static final List<String> ANSWERS = List.of(
            "ClusterStatus",
            "Done",
            "GarbageReport",
            "ServerSizes",
            "Reached",
            "ServerDraining",
            "ServerStatus",
            "SweepReport",
            "TableCreated",
            "TableUndeleted");

    private final RandomGenerator random;

    RandomRecords(RandomGenerator random) {
        this.random = random;
    }

    SpecificRecord request() {
        return any(REQUESTS);
    }

    SpecificRecord answer() {
        return any(ANSWERS);
    }

    private SpecificRecord any(List<String> messages) {
        return record(Records.PROTOCOL.getType("bt.record." + messages.get(random.nextInt(messages.size()))), 1);
    }

    private SpecificRecord record(Schema schema, int depth) {
        SpecificRecord record = (SpecificRecord) SpecificData.newInstance(type(schema), schema);
        for (Schema.Field field : schema.getFields()) {
            record.put(field.pos(), value(field.schema(), depth + 1));
        }
        return record;
    }

    private @Nullable Object value(Schema schema, int depth) {
        return switch (schema.getType()) {
            case RECORD -> record(schema, depth);
            case ARRAY ->
                Stream.generate(() -> value(schema.getElementType(), depth + 1))
                        .limit(depth > 6 ? 0 : random.nextInt(4))
                        .toList();
            case UNION -> random.nextBoolean() ? null : value(schema.getTypes().get(1), depth);
            case ENUM ->
                type(schema)
                        .getEnumConstants()[
                        random.nextInt(schema.getEnumSymbols().size())];
            case STRING -> Long.toString(random.nextLong(), 36);
            case BYTES -> ByteBuffer.wrap(Long.toString(random.nextLong(), 36).getBytes(StandardCharsets.UTF_8));
            case INT -> random.nextInt();
            case LONG -> random.nextLong();
            case BOOLEAN -> random.nextBoolean();
            default -> throw new AssertionError(schema);
        };
    }

    private static Class<?> type(Schema schema) {
        try {
            return Class.forName(schema.getFullName());
        } catch (ClassNotFoundException unknown) {
            throw new AssertionError(unknown);
        }
    }
}
