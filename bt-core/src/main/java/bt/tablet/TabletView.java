package bt.tablet;

import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;

/** What a read sees: the memtable that takes writes, those that are being written to files, the files, the schema. */
record TabletView(TableSchema schema, Memtable active, List<Memtable> frozen, List<TabletFile> files) {
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
        return new TabletView(schema, empty, more, files);
    }

    /** With files in the place of the memtable they were written from. */
    TabletView withInstalled(Memtable written, List<TabletFile> added) {
        List<Memtable> rest = new ArrayList<>(frozen);
        rest.remove(written);
        List<TabletFile> more = new ArrayList<>(files);
        more.addAll(added);
        return new TabletView(schema, active, rest, more);
    }

    TabletView withoutFiles() {
        return new TabletView(schema, active, frozen, List.of());
    }
}
