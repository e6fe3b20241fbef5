package bt.metadata;

import static bt.metadata.MetadataSchema.BEFORE_COLUMN;
import static bt.metadata.MetadataSchema.DAMAGE_COLUMN;
import static bt.metadata.MetadataSchema.GENERATION_COLUMN;
import static bt.metadata.MetadataSchema.LOCATION_COLUMN;
import static bt.metadata.MetadataSchema.MASTER_EPOCH_COLUMN;
import static bt.metadata.MetadataSchema.STATE_COLUMN;

import bt.base.AvroBytes;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Filter.Part;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TabletId;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * METADATA rows as cells. Every change writes all columns but that of damage, and of the two of events one, with the generation as
 * their timestamp; only the event has the server's. A record is one byte, the number of its fields, then Avro. See docs/formats/metadata-row.md.
 */
final class MetadataRowCodec {
    private static final int FIRST = 0;
    private static final int AFTER_A_ROW = 1;
    private static final int GONE = 2;

    /** Lets something pass of rows that are marked gone, and nothing of others. */
    static final Filter GONE_ROWS = new Filter.Chain(List.of(
            new Filter.Columns(List.of(BEFORE_COLUMN)),
            new Filter.Within(Part.VALUE, ByteRange.only(new Output(1).u8(GONE).toBytes()))));

    private MetadataRowCodec() {}

    static RowMutation encode(MetadataRow row, RowEvent event) {
        long timestamp = row.generation();
        RowMutation.Builder cells = RowMutation.of(MetadataKeys.of(row.id()))
                .set(LOCATION_COLUMN, timestamp, record(row.location()))
                .set(BEFORE_COLUMN, timestamp, before(row))
                .set(GENERATION_COLUMN, timestamp, number(row.generation()))
                .set(MASTER_EPOCH_COLUMN, timestamp, number(row.masterEpoch()))
                .set(STATE_COLUMN, timestamp, record(row.state()))
                .set(event.history(), event.value());
        row.damage().ifPresent(damage -> cells.set(DAMAGE_COLUMN, timestamp, Bytes.utf8(damage)));
        return cells.build();
    }

    static MetadataRow decode(Row row) throws CorruptionException {
        TabletId id = MetadataKeys.decode(row.key());
        MetadataRow decoded = new MetadataRow(
                id,
                number(row, GENERATION_COLUMN),
                number(row, MASTER_EPOCH_COLUMN),
                location(row),
                record(row, STATE_COLUMN, TabletState.class),
                damage(row));
        if (!before(decoded).equals(value(row, BEFORE_COLUMN))) {
            throw new CorruptionException("METADATA row " + id + ", generation " + decoded.generation()
                    + ": location:before disagrees with state:");
        }
        return decoded;
    }

    static TabletLocation location(Row row) throws CorruptionException {
        return record(row, LOCATION_COLUMN, TabletLocation.class);
    }

    /** What keeps the tablet from being loaded, if that is damage. An earlier generation's is over. */
    static Optional<String> damage(Row row) throws CorruptionException {
        long generation = number(row, GENERATION_COLUMN);
        return row.cells().stream()
                .filter(cell -> cell.column().equals(DAMAGE_COLUMN) && cell.timestamp() == generation)
                .findFirst()
                .map(cell -> cell.value().toUtf8());
    }

    static boolean isGone(Row row) throws CorruptionException {
        return before(row).u8("kind of start") == GONE;
    }

    /** The end row of the tablet before, of a row that is not gone. */
    static Optional<Bytes> previousEndRow(Row row) throws CorruptionException {
        Input in = before(row);
        return switch (in.u8("kind of start")) {
            case FIRST -> Optional.empty();
            case AFTER_A_ROW -> Optional.of(in.raw("previous end row", in.remaining()));
            default -> throw in.corrupt("no start of a tablet that is there");
        };
    }

    static Bytes number(long value) {
        return new Output(8).bigU64(value).toBytes();
    }

    static Bytes record(SpecificRecord record) {
        Bytes avro = AvroBytes.encode(record);
        return new Output(1 + avro.length())
                .u8(AvroBytes.fields(record.getClass()))
                .raw(avro)
                .toBytes();
    }

    static <T extends SpecificRecord> T record(String source, Bytes value, Class<T> type) throws CorruptionException {
        Input in = Input.of(source, value);
        int fields = in.u8("number of fields");
        if (fields > AvroBytes.fields(type)) {
            // To read it without what is new would be to lose that with the next change.
            throw in.corrupt(fields + " fields, this program knows " + AvroBytes.fields(type) + ": use a later one");
        }
        return AvroBytes.decode(source, in.raw("record", in.remaining()), type, fields);
    }

    private static Bytes before(MetadataRow row) {
        if (row.gone()) {
            return new Output(1).u8(GONE).toBytes();
        }
        return row.previousEndRow()
                .map(end ->
                        new Output(1 + end.length()).u8(AFTER_A_ROW).raw(end).toBytes())
                .orElseGet(() -> new Output(1).u8(FIRST).toBytes());
    }

    private static Input before(Row row) throws CorruptionException {
        return Input.of(source(row, BEFORE_COLUMN), value(row, BEFORE_COLUMN));
    }

    private static <T extends SpecificRecord> T record(Row row, ColumnKey column, Class<T> type)
            throws CorruptionException {
        return record(source(row, column), value(row, column), type);
    }

    private static long number(Row row, ColumnKey column) throws CorruptionException {
        Input in = Input.of(source(row, column), value(row, column));
        long number = in.bigU64("number");
        in.end("the number");
        if (number < 0) {
            throw in.corrupt("number above 2^63");
        }
        return number;
    }

    private static Bytes value(Row row, ColumnKey column) throws CorruptionException {
        Optional<Bytes> value = row.value(column);
        if (value.isEmpty()) {
            throw new CorruptionException(source(row, column) + ": the column is missing");
        }
        return value.get();
    }

    private static String source(Row row, ColumnKey column) {
        return "METADATA row " + row.key().brief() + " " + column;
    }
}
