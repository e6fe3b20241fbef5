package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.record.FileReference;
import bt.sstable.Cursor;
import bt.tablet.Retention.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Rewrites several files of a tablet, or some and the memtable that follows them, as one for each locality group (section
 * 5.4 of the paper), without what no read needs any more: a major compaction when no older file of their families is left
 * out. Groups are those of the schema that it is given, whatever grouping the files followed. One thread, once.
 */
final class MergingCompaction {
    private final CompactionInputs inputs;
    private final FileSpan span;
    private final CompactionScope scope;
    private final Strides strides;
    private final GroupFiles files;
    private final Retention retention;

    /** Of the present column: kept only if something of it is kept behind them. */
    private final List<Entry> undecided = new ArrayList<>();

    private boolean dropped;

    private MergingCompaction(CompactionInputs inputs, CompactionScope scope, TabletContext context, Pace pace) {
        this.inputs = inputs;
        this.span = MergedSpan.of(inputs, scope);
        this.scope = scope;
        this.strides = new Strides(pace);
        this.files = new GroupFiles(inputs.groups(), span, context);
        this.retention = new Retention(inputs.schema(), scope);
    }

    /**
     * The new files, which are complete and on disk. The inputs, which the caller uses, are as they were. A failure leaves
     * files that nobody names.
     */
    static Compacted write(CompactionInputs inputs, CompactionScope scope, TabletContext context, Pace pace)
            throws BigtableException, InterruptedException {
        return new MergingCompaction(inputs, scope, context, pace).write();
    }

    private Compacted write() throws BigtableException, InterruptedException {
        boolean done = false;
        try {
            Cursor changes = MergingCursor.of(inputs.runs());
            while (changes.next()) {
                take(changes.key(), changes.value());
            }
            dropUndecided();
            List<FileReference> written = files.finish();
            done = true;
            // What was dropped is missed by reads of what was before; by none at or above the last change that was
            // read.
            long oldestReadable = dropped ? Math.min(span.largestSequence(), scope.horizon()) : 0;
            return new Compacted(inputs.references(), written, oldestReadable);
        } finally {
            if (!done) {
                files.abandon();
            }
        }
    }

    private void take(Slice key, Slice value) throws BigtableException, InterruptedException {
        strides.take(key.length() + value.length());
        if (retention.enters(key)) {
            dropUndecided();
        }
        Verdict verdict = retention.judge(key, value);
        dropped |= verdict != Verdict.KEEP;
        switch (verdict) {
            case DROP -> {}
            case KEEP -> {
                keepUndecided();
                files.add(key, value, retention.family());
            }
            case GHOST -> {
                keepUndecided();
                add(ghost(key, value));
            }
            case KEEP_BEFORE_OTHERS -> undecided.add(ghost(key, value));
        }
    }

    /** The entry as it stays: a put without its value. */
    private static Entry ghost(Slice key, Slice value) throws BigtableException {
        return CellKey.kindOf(key) == Kind.PUT
                ? new Entry(CellKey.withKind(key, Kind.GHOST), Bytes.EMPTY)
                : new Entry(key.toBytes(), value.toBytes());
    }

    private void keepUndecided() throws BigtableException {
        for (Entry entry : undecided) {
            add(entry);
        }
        undecided.clear();
    }

    private void add(Entry entry) throws BigtableException {
        files.add(Slice.of(entry.key()), Slice.of(entry.value()), retention.family());
    }

    private void dropUndecided() {
        undecided.clear();
    }
}
