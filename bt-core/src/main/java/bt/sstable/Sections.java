package bt.sstable;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The section table: what there is beside entries, by kind. A kind that a reader does not know is skipped: what must not
 * be skipped is named as a feature in the properties. See docs/formats/sstable.md.
 */
record Sections(Map<Integer, BlockHandle> handles) {
    static final int PROPERTIES = 1;
    /** The root of the index of cells. */
    static final int CELLS = 2;
    /** The root of the index of row and family deletions. */
    static final int DELETIONS = 3;
    /** The Bloom filter by row of cells and deletions. */
    static final int ROW_FILTER = 4;
    /** The Bloom filter by row and column of cells. */
    static final int COLUMN_FILTER = 5;
    /** What data blocks need that share a dictionary. */
    static final int DICTIONARY = 6;
    /** The Bloom filter by row of deletions. */
    static final int DELETION_FILTER = 7;

    private static final int MAX_SECTIONS = 1000;

    Sections {
        handles = Collections.unmodifiableMap(new TreeMap<>(handles));
    }

    Output encode() {
        Output out = new Output().varint(handles.size());
        handles.forEach((kind, handle) -> handle.encodeTo(out.varint(kind)));
        return out;
    }

    static Sections decode(Input in, long end) throws CorruptionException {
        Map<Integer, BlockHandle> handles = new TreeMap<>();
        int count = in.length("section count", MAX_SECTIONS);
        for (int i = 0; i < count; i++) {
            int kind = in.length("section kind", Integer.MAX_VALUE);
            if (handles.put(kind, BlockHandle.decode(in, end)) != null) {
                throw in.corrupt("two sections of kind " + kind);
            }
        }
        in.end("the section table");
        return new Sections(handles);
    }

    Optional<BlockHandle> find(int kind) {
        return Optional.ofNullable(handles.get(kind));
    }

    /** CORRUPTION in the name of the section table when there is none. */
    BlockHandle need(String table, int kind) throws CorruptionException {
        Optional<BlockHandle> handle = find(kind);
        if (handle.isEmpty()) {
            throw new CorruptionException(table + ": no section of kind " + kind);
        }
        return handle.get();
    }
}
