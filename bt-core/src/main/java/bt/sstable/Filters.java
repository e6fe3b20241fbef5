package bt.sstable;

import bt.base.BigtableException;
import java.util.Optional;

/**
 * The Bloom filters of one file. One that is not there lets everything pass. Those of a file whose tail is in memory lie
 * there; the others are found through the block cache.
 */
final class Filters {
    private final Optional<Filter> rows;
    private final Optional<Filter> columns;
    private final Optional<Filter> deletions;

    private Filters(Optional<Filter> rows, Optional<Filter> columns, Optional<Filter> deletions) {
        this.rows = rows;
        this.columns = columns;
        this.deletions = deletions;
    }

    /** All are read and checked; without {@code keepsTail} none is kept. */
    static Filters read(BlockFile file, Sections sections, boolean keepsTail) throws BigtableException {
        return new Filters(
                find(file, sections.find(Sections.ROW_FILTER), keepsTail),
                find(file, sections.find(Sections.COLUMN_FILTER), keepsTail),
                find(file, sections.find(Sections.DELETION_FILTER), keepsTail));
    }

    /** Whether a cell or a deletion may have this row. */
    boolean passRow(FilterHash row) throws BigtableException {
        return rows.isEmpty() || rows.get().bloom().mayContain(row.value());
    }

    /** Whether a cell may have this row and column. */
    boolean passColumn(FilterHash column) throws BigtableException {
        return columns.isEmpty() || columns.get().bloom().mayContain(column.value());
    }

    /** Whether a deletion of a row or family may have this row. */
    boolean passDeletion(FilterHash row) throws BigtableException {
        return deletions.isEmpty() ? passRow(row) : deletions.get().bloom().mayContain(row.value());
    }

    private static Optional<Filter> find(BlockFile file, Optional<BlockHandle> at, boolean keepsTail)
            throws BigtableException {
        if (at.isEmpty()) {
            return Optional.empty();
        }
        BloomFilter read = BloomFilter.decode(file.path(), at.get().offset(), file.read(at.get()));
        return Optional.of(keepsTail && file.isInTail(at.get()) ? new InTail(read) : new ThroughCache(file, at.get()));
    }

    /** One of them, wherever it is. */
    private sealed interface Filter {
        BloomFilter bloom() throws BigtableException;
    }

    private record InTail(BloomFilter bloom) implements Filter {}

    private record ThroughCache(BlockFile file, BlockHandle at) implements Filter {
        @Override
        public BloomFilter bloom() throws BigtableException {
            return file.part(at, BloomFilter.class, payload -> BloomFilter.decode(file.path(), at.offset(), payload));
        }
    }
}
