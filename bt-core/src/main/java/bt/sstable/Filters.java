package bt.sstable;

import bt.base.BigtableException;
import java.util.Optional;

/** The Bloom filters of one file. One that is not there lets everything pass. */
final class Filters {
    private final Optional<BloomFilter> rows;
    private final Optional<BloomFilter> columns;
    private final Optional<BloomFilter> deletions;

    private Filters(BlockFile file, Sections sections) throws BigtableException {
        this.rows = find(file, sections, Sections.ROW_FILTER);
        this.columns = find(file, sections, Sections.COLUMN_FILTER);
        this.deletions = find(file, sections, Sections.DELETION_FILTER);
    }

    static Filters read(BlockFile file, Sections sections) throws BigtableException {
        return new Filters(file, sections);
    }

    /** Whether a cell or a deletion may have this row. */
    boolean passRow(FilterHash row) {
        return rows.isEmpty() || rows.get().mayContain(row.value());
    }

    /** Whether a cell may have this row and column. */
    boolean passColumn(FilterHash column) {
        return columns.isEmpty() || columns.get().mayContain(column.value());
    }

    /** Whether a deletion of a row or family may have this row. */
    boolean passDeletion(FilterHash row) {
        return deletions.isEmpty() ? passRow(row) : deletions.get().mayContain(row.value());
    }

    private static Optional<BloomFilter> find(BlockFile file, Sections sections, int kind) throws BigtableException {
        Optional<BlockHandle> at = sections.find(kind);
        return at.isEmpty()
                ? Optional.empty()
                : Optional.of(BloomFilter.decode(file.path(), at.get().offset(), file.read(at.get())));
    }
}
