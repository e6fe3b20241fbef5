package bt.metadata;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Change;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TabletId;
import bt.record.BulkMarker;
import bt.record.FileReference;
import bt.record.Intent;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** METADATA rows for tests: any that could be. */
final class MetadataRows {
    private MetadataRows() {}

    /** Few bytes and few values, so that equal rows, prefixes and the extremes come up. */
    static Bytes row(RandomGenerator random) {
        byte[] alphabet = {0, 1, 'm', (byte) 0xff};
        byte[] row = new byte[random.nextInt(4)];
        for (int i = 0; i < row.length; i++) {
            row[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return Bytes.wrap(row);
    }

    static TabletId id(RandomGenerator random) {
        return new TabletId(random.nextInt(3), random.nextInt(4) == 0 ? Optional.empty() : Optional.of(row(random)));
    }

    static MetadataRow any(RandomGenerator random) {
        TabletLocation location = new TabletLocation(
                List.of(Phase.values()).get(random.nextInt(3)),
                "host_1_" + random.nextInt(9),
                "host:1",
                random.nextLong());
        TabletState state = TabletState.newBuilder(TabletStates.empty(previous(random)))
                .setFiles(files(random))
                .setRedoPoint(random.nextLong())
                .setLogs(random.longs(random.nextInt(3)).boxed().toList())
                .setIntents(List.of(new Intent(
                        "split",
                        AvroBytes.buffer(row(random)),
                        4L,
                        AvroBytes.buffer(row(random)),
                        AvroBytes.buffer(row(random)))))
                .setBulkLoads(List.of(new BulkMarker("job", 3L, 4L)))
                .setGone(random.nextInt(4) == 0)
                .setOffline(random.nextBoolean() ? "log 4 cannot be read" : null)
                .build();
        return new MetadataRow(id(random), random.nextInt(1000), random.nextInt(5), location, state);
    }

    /** The row that a tablet would give back for a mutation that only sets cells. */
    static Row applied(RowMutation mutation) {
        List<Cell> cells = new ArrayList<>();
        for (Change change : mutation.changes()) {
            Change.SetCell set = (Change.SetCell) change;
            cells.add(new Cell(mutation.row(), set.column(), set.timestamp(), set.value()));
        }
        cells.sort(Comparator.comparing((Cell cell) -> cell.column().family())
                .thenComparing(cell -> cell.column().qualifier()));
        return new Row(mutation.row(), cells);
    }

    private static Optional<Bytes> previous(RandomGenerator random) {
        return random.nextBoolean() ? Optional.empty() : Optional.of(row(random));
    }

    private static List<FileReference> files(RandomGenerator random) {
        List<FileReference> files = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            files.add(FileReference.newBuilder()
                    .setPath("data/4/17/" + i)
                    .setClipStart(AvroBytes.buffer(previous(random)))
                    .setBytes(random.nextInt(1 << 20))
                    .setFamilies(List.of(1, 2))
                    .setSmallestSequence(1)
                    .setLargestSequence(random.nextInt(1 << 20))
                    .build());
        }
        return files;
    }
}
