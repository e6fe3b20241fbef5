package bt.sstable;

import bt.base.BigtableException;
import bt.base.Slice;
import java.util.Map;

/**
 * Gathers the filter keys of a new file. By row for cells and deletions together; by row and column for cells, where the
 * options ask for it; by row for deletions alone, so that a read which the columns' filter sends away still learns whether
 * the row was deleted here.
 */
final class FilterWriter {
    private final SSTableOptions options;
    private final BloomBuilder rows;
    private final BloomBuilder columns;
    private final BloomBuilder deletions;
    private boolean hasDeletions;

    FilterWriter(SSTableOptions options) {
        this.options = options;
        this.rows = new BloomBuilder(options.filterKey(), options.bloomBitsPerKey());
        this.columns =
                new BloomBuilder(options.columnFilterKey().orElse(options.filterKey()), options.bloomBitsPerKey());
        this.deletions = new BloomBuilder(options.filterKey(), options.bloomBitsPerKey());
    }

    void add(Slice key) {
        if (options.bloomBitsPerKey() > 0) {
            rows.add(key);
            if (options.columnFilterKey().isPresent()) {
                columns.add(key);
            }
        }
    }

    void addDeletion(Slice key) {
        if (options.bloomBitsPerKey() > 0) {
            rows.add(key);
            deletions.add(key);
            hasDeletions = true;
        }
    }

    void finish(BlockWriter blocks, Map<Integer, BlockHandle> sections) throws BigtableException {
        if (options.bloomBitsPerKey() == 0) {
            return;
        }
        sections.put(Sections.ROW_FILTER, blocks.write(rows.finish(), Codec.NONE));
        if (options.columnFilterKey().isPresent()) {
            sections.put(Sections.COLUMN_FILTER, blocks.write(columns.finish(), Codec.NONE));
        }
        if (hasDeletions) {
            sections.put(Sections.DELETION_FILTER, blocks.write(deletions.finish(), Codec.NONE));
        }
    }
}
