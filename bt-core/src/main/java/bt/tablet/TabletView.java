package bt.tablet;

import bt.model.TableSchema;
import bt.record.FileReference;
import java.util.ArrayList;
import java.util.List;

/**
 * What a read sees: the memtable that takes writes, those that are being written to files, the files, the schema. A read at
 * a sequence below {@code oldestReadable} would miss what compactions have dropped.
 */
record TabletView(
        TableSchema schema, Memtable active, List<Memtable> frozen, List<TabletFile> files, long oldestReadable) {
    TabletView {
        frozen = List.copyOf(frozen);
        files = List.copyOf(files);
    }

    /** All memtables, the newest first. */
    List<Memtable> memtables() {
        List<Memtable> all = new ArrayList<>();
        all.add(active);
        for (int i = frozen.size() - 1; i >= 0; i--) {
            all.add(frozen.get(i));
        }
        return all;
    }

    TabletView withFrozen(Memtable empty) {
        List<Memtable> more = new ArrayList<>(frozen);
        more.add(active);
        return new TabletView(schema, empty, more, files, oldestReadable);
    }

    /** With files in the place of the memtable they were written from. */
    TabletView withInstalled(Memtable written, List<TabletFile> added) {
        List<Memtable> rest = new ArrayList<>(frozen);
        rest.remove(written);
        List<TabletFile> more = new ArrayList<>(files);
        more.addAll(added);
        return new TabletView(schema, active, rest, more, oldestReadable);
    }

    /** With what a compaction made of a frozen memtable, and of files together with it. */
    TabletView withFlushed(Memtable written, Compacted compacted, List<TabletFile> added) {
        return withCompacted(compacted.replaced(), List.of(), compacted.oldestReadable())
                .withInstalled(written, added);
    }

    TabletView withSchema(TableSchema later) {
        return new TabletView(later, active, frozen, files, oldestReadable);
    }

    TabletView withoutFiles() {
        return new TabletView(schema, active, frozen, List.of(), oldestReadable);
    }

    /** With these files alone, and a memtable of its own. */
    TabletView withFiles(List<TabletFile> others) {
        return new TabletView(schema, new Memtable(), List.of(), others, oldestReadable);
    }

    /** With files in the place of those that a compaction rewrote. */
    TabletView withCompacted(List<FileReference> replaced, List<TabletFile> written, long readableFrom) {
        List<TabletFile> rest = new ArrayList<>(written);
        files.stream().filter(file -> !replaced.contains(file.reference())).forEach(rest::add);
        return new TabletView(schema, active, frozen, rest, Math.max(oldestReadable, readableFrom));
    }

    long largestSequenceInFiles() {
        return files.stream().mapToLong(TabletFile::largestSequence).max().orElse(0);
    }

    /** Those of the files that have these references. */
    List<TabletFile> filesOf(List<FileReference> references) {
        return files.stream()
                .filter(file -> references.contains(file.reference()))
                .toList();
    }
}
