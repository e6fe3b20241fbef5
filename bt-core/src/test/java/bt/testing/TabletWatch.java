package bt.testing;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.protocol.Service;
import bt.protocol.Write;
import bt.record.TabletLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks on where METADATA is changed and writes down what becomes of the tablets, but for the root tablet, whose row is a
 * file of the lock service. Used by whoever holds the baton.
 */
final class TabletWatch {
    /** In the column of where a tablet begins: after the row that follows. See docs/formats/metadata-row.md. */
    private static final int AFTER_A_ROW = 1;

    private final SimScheduler scheduler;
    private final List<TabletEvent> events = new ArrayList<>();

    TabletWatch(SimScheduler scheduler) {
        this.scheduler = scheduler;
    }

    List<TabletEvent> events() {
        return events;
    }

    /** The same service, looked at. */
    Service over(Service server) {
        return MetadataChanges.over(server, this::made);
    }

    private void made(Write write) {
        try {
            Optional<Bytes> event = value(write, MetadataSchema.EVENTS_COLUMN)
                    .or(() -> value(write, MetadataSchema.FILE_EVENTS_COLUMN));
            if (event.isPresent()) {
                events.add(new TabletEvent(
                        scheduler.elapsed().toNanos(),
                        MetadataKeys.decode(write.mutation().row()),
                        previousEndRow(write),
                        event.get().toUtf8() + ", " + location(write)));
            }
        } catch (CorruptionException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static Optional<Bytes> previousEndRow(Write write) throws CorruptionException {
        Input in = Input.of("start", value(write, MetadataSchema.BEFORE_COLUMN).orElseThrow());
        return in.u8("kind") == AFTER_A_ROW ? Optional.of(in.raw("row", in.remaining())) : Optional.empty();
    }

    private static String location(Write write) throws CorruptionException {
        Input in = Input.of(
                "location", value(write, MetadataSchema.LOCATION_COLUMN).orElseThrow());
        int fields = in.u8("fields");
        TabletLocation location =
                AvroBytes.decode("location", in.raw("record", in.remaining()), TabletLocation.class, fields);
        return location.getPhase() + " " + location.getServer();
    }

    private static Optional<Bytes> value(Write write, ColumnKey column) {
        return write.mutation().changes().stream()
                .filter(Change.SetCell.class::isInstance)
                .map(Change.SetCell.class::cast)
                .filter(set -> set.column().equals(column))
                .map(Change.SetCell::value)
                .findFirst();
    }
}
