package bt.tablet;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.FamilySchema;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.FamilyCount;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import bt.sstable.Access;
import bt.sstable.BlockCache;
import bt.sstable.Cursor;
import bt.sstable.SSTable;
import bt.sstable.SSTableOptions;
import bt.sstable.SSTableWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The file that the open writes of a tablet travel in, beside those of a flush: cells of a family that no schema has, each
 * in the row that was written, so that a split or a merge of the tablet carries them with the clips of its other files;
 * lost ones count for all rows. A later flush names a later file in its place: a tablet has one, or, after a merge, one of
 * each. See docs/formats/open-writes.md.
 */
public final class OpenWrites {
    private static final List<Integer> FAMILIES = List.of(FamilySchema.OF_SERVERS);
    private static final SSTableOptions OPTIONS = new SSTableOptions(16 << 10, "lz4", 0, Slice::length);

    private OpenWrites() {}

    /** Whether the file holds open writes, and nothing that a reader of rows may see; lost ones lie outside of the tablet. */
    public static boolean isFile(FileReference reference) {
        return FamilySchema.areOfServers(reference.getFamilies());
    }

    /** A reference to a new file with these, which is complete and on disk; empty where there are none. */
    public static Optional<FileReference> write(List<OpenWrite> open, TableSchema schema, TabletContext context)
            throws BigtableException {
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Map<Bytes, Bytes> sorted = new TreeMap<>();
        open.forEach(write -> sorted.put(key(write), value(write)));
        String path = context.names().next(context.files(), schema.id());
        SSTableWriter writer = SSTableWriter.create(context.files(), path, OPTIONS);
        try {
            long bytes = 0;
            for (Map.Entry<Bytes, Bytes> entry : sorted.entrySet()) {
                writer.add(entry.getKey(), entry.getValue());
                bytes += entry.getKey().length() + entry.getValue().length();
            }
            long smallest = open.stream().mapToLong(OpenWrite::sequence).min().orElse(0);
            long largest = open.stream().mapToLong(OpenWrite::sequence).max().orElse(0);
            writer.finish(SSTableProperties.newBuilder()
                    .setSmallestSequence(smallest)
                    .setLargestSequence(largest)
                    .setSchemaVersion(schema.version())
                    .setFamilies(List.of(new FamilyCount(FamilySchema.OF_SERVERS, (long) sorted.size(), bytes)))
                    .setFamilyIds(FAMILIES)
                    .setCreator(context.names().creator())
                    .setDeletions(0)
                    .setVersionDeletions(0));
            return Optional.of(FileReference.newBuilder()
                    .setPath(path)
                    .setBytes(writer.bytes())
                    .setFamilies(FAMILIES)
                    .setSmallestSequence(smallest)
                    .setLargestSequence(largest)
                    .build());
        } catch (BigtableException | RuntimeException failed) {
            writer.abandon();
            context.names().settle(path);
            throw failed;
        }
    }

    /** References to those of the files that hold open writes, clipped to these rows of a tablet that is split. */
    public static List<FileReference> of(List<FileReference> files, RowRange rows) {
        List<FileReference> clipped = new ArrayList<>();
        for (FileReference file : files) {
            RowRange whole = TabletFile.clipOf(file);
            RowRange shown = whole.intersect(rows);
            if (isFile(file) && !shown.isEmpty()) {
                // So that both halves together count what the whole does: a merge adds them up.
                long half = file.getBytes() / 2;
                clipped.add(FileReference.newBuilder(file)
                        .setBytes(shown.end().equals(whole.end()) ? file.getBytes() - half : half)
                        .setClipStart(shown.start().isEmpty() ? null : AvroBytes.buffer(shown.start()))
                        .setClipEnd(AvroBytes.buffer(shown.end()))
                        .build());
            }
        }
        return clipped;
    }

    /** What those of the files that hold open writes have of the rows in the range, or lost, and may still be asked for. */
    public static List<OpenWrite> read(List<FileReference> files, RowRange range, TabletContext context)
            throws BigtableException {
        long now = context.clock().micros();
        List<OpenWrite> open = new ArrayList<>();
        for (FileReference file : files) {
            if (isFile(file)) {
                RowRange rows = range.intersect(TabletFile.clipOf(file));
                // Each is read once, at a load.
                try (SSTable table = SSTable.open(context.files(), file.getPath(), BlockCache.ofBytes(0))) {
                    Cursor cursor = table.cursor(Access.COMPACTION);
                    while (cursor.next()) {
                        OpenWrite write = decode(file.getPath(), cursor.key(), cursor.value());
                        if ((write.isLost() || rows.contains(write.row())) && write.isOpen(now)) {
                            open.add(write);
                        }
                    }
                }
            }
        }
        return open;
    }

    static Bytes key(OpenWrite write) {
        Bytes qualifier = new Output(2 * Long.BYTES)
                .bigU64(write.author().client())
                .bigU64(write.author().number())
                .toBytes();
        return new CellKey(
                        write.row(),
                        FamilySchema.OF_SERVERS,
                        Optional.of(qualifier),
                        write.micros(),
                        write.sequence(),
                        Kind.PUT)
                .encode();
    }

    static Bytes value(OpenWrite write) {
        return new Output(2 * Long.BYTES)
                .bigU64(write.result())
                .bigU64(write.author().lowestOpen())
                .toBytes();
    }

    static OpenWrite decode(String path, Slice key, Slice value) throws CorruptionException {
        CellKey cell = CellKey.decode(key.toBytes());
        Input in = Input.of(path + ", row " + cell.row().brief(), value.toBytes());
        if (cell.family() != FamilySchema.OF_SERVERS || cell.kind() != Kind.PUT) {
            throw in.corrupt("a " + cell.kind() + " of family " + cell.family() + " among open writes");
        }
        Input name =
                Input.of(path + ", row " + cell.row().brief(), cell.qualifier().orElse(Bytes.EMPTY));
        long client = name.bigU64("client");
        long number = name.bigU64("number");
        name.end("the name of a write");
        long result = in.bigU64("result");
        OpenWrite.Author author = new OpenWrite.Author(client, number, in.bigU64("lowest open number"));
        in.end("an open write");
        return new OpenWrite(cell.row(), cell.sequence(), author, result, cell.timestamp());
    }
}
