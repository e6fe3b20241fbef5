package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import bt.model.Cell;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import bt.sstable.SSTableOptions;
import bt.sstable.SSTableWriter;
import bt.testing.AtOnce;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TabletFilesTest {
    private static final TableSchema SCHEMA = RandomTable.schema(4);
    private static final ColumnKey COLUMN = ColumnKey.of("all", "q");

    private final TabletFixture fixture;

    TabletFilesTest() throws BigtableException {
        fixture = new TabletFixture(SCHEMA);
    }

    @Test
    void onlyTheRowsInsideItsClipAreShownOfAFile() throws BigtableException {
        for (String row : List.of("a", "b", "c", "d")) {
            fixture.apply(put(row, 1, row));
        }
        fixture.apply(RowMutation.of("d").deleteRow().build());
        fixture.flush();
        FileReference file = fixture.state.getFiles().stream()
                .filter(reference -> reference.getFamilies().contains(2))
                .findFirst()
                .orElseThrow();
        file.setClipStart(ByteBuffer.wrap(Bytes.utf8("b").toArray()));
        file.setClipEnd(ByteBuffer.wrap(Bytes.utf8("d").toArray()));
        fixture.state.setFiles(List.of(file));
        fixture.reopen();

        assertThat(values(RowRange.ALL)).containsExactly("b", "c");
        assertThat(values(RowRange.row(Bytes.utf8("a")))).isEmpty();
        assertThat(values(RowRange.row(Bytes.utf8("b")))).containsExactly("b");
        fixture.apply(put("d", 1, "new"));
        assertThat(values(RowRange.ALL)).containsExactly("b", "c", "new");
    }

    @Test
    void aBulkFileHasTheSequenceOfItsReference() throws BigtableException {
        fixture.apply(put("before", 1, "old"));
        fixture.apply(put("after", 1, "old"));
        fixture.apply(RowMutation.of("hidden").deleteRow().build());
        fixture.flush();
        long sequence = fixture.sequence() + 1;
        fixture.state.getFiles().add(bulkFile(sequence, "after", "before", "hidden"));
        fixture.reopen();
        assertThat(fixture.tablet.readPoint()).isEqualTo(sequence);
        fixture.tablet.apply(resolved(put("after", 1, "newest"), sequence + 1));
        fixture.tablet.publish(sequence + 1);

        assertThat(values(RowRange.ALL)).containsExactly("newest", "bulk", "bulk");
        assertThat(fixture.tablet.mayHaveChangedSince(sequence - 1, Bytes.utf8("hidden")))
                .isTrue();
        assertThat(fixture.tablet.mayHaveChangedSince(sequence, Bytes.utf8("hidden")))
                .isFalse();
    }

    private FileReference bulkFile(long sequence, String... rows) throws BigtableException {
        fixture.files.makeDirectory("data/4/bulk");
        SSTableWriter writer = SSTableWriter.create(
                fixture.files, "data/4/bulk/1", new SSTableOptions(1 << 10, "none", 10, CellKey::rowPrefixLength));
        for (String row : rows) {
            CellKey key = new CellKey(Bytes.utf8(row), 2, Optional.of(Bytes.utf8("q")), 1, 0, Kind.PUT);
            writer.add(key.encode(), Bytes.utf8("bulk"));
        }
        writer.finish(SSTableProperties.newBuilder());
        return FileReference.newBuilder()
                .setPath("data/4/bulk/1")
                .setBytes(writer.bytes())
                .setFamilies(List.of(2))
                .setSequenceOverride(sequence)
                .setSmallestSequence(0)
                .setLargestSequence(0)
                .build();
    }

    @Test
    void cellsOfADroppedFamilyAreNeitherShownNorWritten() throws BigtableException {
        Bytes row = Bytes.utf8("a");
        CellKey dropped = new CellKey(row, 3, Optional.of(Bytes.EMPTY), 1, 1, Kind.PUT);
        fixture.tablet.apply(new ResolvedMutation(row, 1, 0, List.of(new Entry(dropped.encode(), Bytes.EMPTY))));
        fixture.tablet.publish(1);

        assertThat(values(RowRange.ALL)).isEmpty();
        assertThat(AtOnce.write(fixture.tablet.freeze().orElseThrow(), fixture.context))
                .isEmpty();
    }

    @Test
    void sizesFollowTheDataFromMemoryToDisk() throws BigtableException {
        fixture.apply(put("a", 1, "x"));
        Sizes written = fixture.tablet.sizes();
        List<FamilySize> inMemory = fixture.tablet.census().memory();
        fixture.freeze();
        Sizes frozen = fixture.tablet.sizes();
        List<FamilySize> inMemoryWhileFrozen = fixture.tablet.census().memory();
        fixture.compact();
        Sizes installed = fixture.tablet.sizes();

        assertThat(written.memtableBytes()).isPositive();
        assertThat(inMemory).singleElement().matches(size -> size.cells() == 1 && size.bytes() > 0);
        assertThat(inMemoryWhileFrozen).isEqualTo(inMemory);
        assertThat(fixture.tablet.census().memory()).isEmpty();
        assertThat(frozen).isEqualTo(new Sizes(0, written.memtableBytes(), 0, 0));
        assertThat(installed.files()).isEqualTo(1);
        assertThat(installed.fileBytes())
                .isEqualTo(fixture.files.list("data/4/1").get(0).bytes());
    }

    @Test
    void everyGroupHasAFileOfItsOwnAndARowDeletionIsInAllOfWhichThereIsSomething() throws BigtableException {
        fixture.apply(RowMutation.of("a").set("young", "q", "x").build());
        fixture.flush();
        assertThat(families()).containsExactly(List.of(4));

        fixture.apply(RowMutation.of("a").deleteRow().build());
        fixture.apply(RowMutation.of("a").set("all", "q", "x").build());
        fixture.flush();
        assertThat(families()).containsExactly(List.of(4), List.of(1, 2), List.of(4));
    }

    private List<List<Integer>> families() {
        return fixture.tablet.files().stream().map(FileReference::getFamilies).toList();
    }

    @Test
    void onlyTheFilesOfTheWantedFamiliesAreRead() throws BigtableException {
        fixture.apply(
                RowMutation.of("a").set("young", "q", "x").set("all", "q", "y").build());
        fixture.flush();
        // Opened once more, so that no block is in the cache, then taken away where it must not be looked for.
        fixture.reopen();
        fixture.files.delete(fixture.state.getFiles().stream()
                .filter(file -> file.getFamilies().contains(4))
                .findFirst()
                .orElseThrow()
                .getPath());

        assertThat(fixture.tablet
                        .read(ReadSpec.of(RowRange.ALL, new Filter.Families(List.of("all"))))
                        .cells())
                .hasSize(1);
        assertThatThrownBy(() -> values(RowRange.ALL)).isInstanceOf(UnavailableException.class);
    }

    @Test
    void aMinorCompactionThatFailsLeavesTheMemtableServing() throws BigtableException {
        fixture.apply(put("a", 1, "x"));
        Frozen frozen = fixture.tablet.freeze().orElseThrow();
        // Its name is taken: as good as any other failure.
        fixture.files.makeDirectory("data/4/1/1");

        assertThatThrownBy(() -> AtOnce.write(frozen, fixture.context)).isInstanceOf(BigtableException.class);
        assertThat(values(RowRange.ALL)).containsExactly("x");
        fixture.tablet.install(
                frozen, fixture.tablet.prepare(Compacted.written(AtOnce.write(frozen, fixture.context))));
        assertThat(values(RowRange.ALL)).containsExactly("x");
        assertThat(fixture.tablet.sizes().frozenBytes()).isZero();
    }

    /** Were METADATA to name it all the same, the memtable would be the last copy, and a file without it be compacted. */
    @Test
    void aFileThatCannotBeReadIsNotGivenOut() throws BigtableException {
        fixture.apply(put("a", 1, "x"));
        Frozen frozen = fixture.tablet.freeze().orElseThrow();
        Compacted written = Compacted.written(AtOnce.write(frozen, fixture.context));
        String path = written.written().get(0).getPath();
        fixture.files.delete(path);
        try (FileWriter other = fixture.files.create(path, Placement.DATA)) {
            other.append(new byte[1_000], 0, 1_000);
        }
        assertThatThrownBy(() -> fixture.tablet.prepare(written))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith(path);
        assertThat(values(RowRange.ALL)).containsExactly("x");
        fixture.tablet.install(
                frozen, fixture.tablet.prepare(Compacted.written(AtOnce.write(frozen, fixture.context))));
        assertThat(values(RowRange.ALL)).containsExactly("x");
    }

    private static RowMutation put(String row, long timestamp, String value) {
        return RowMutation.of(row).set(COLUMN, timestamp, Bytes.utf8(value)).build();
    }

    private static ResolvedMutation resolved(RowMutation mutation, long sequence) throws RejectedException {
        return Resolver.resolve(mutation, SCHEMA, sequence, 500);
    }

    private List<String> values(RowRange range) throws BigtableException {
        return fixture.tablet.read(ReadSpec.of(range, Filter.ALL)).cells().stream()
                .map(Cell::value)
                .map(Bytes::toUtf8)
                .toList();
    }
}
