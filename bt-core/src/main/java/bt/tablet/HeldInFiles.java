package bt.tablet;

import bt.model.TableSchema;
import bt.record.FamilyAges;
import java.lang.ref.WeakReference;
import java.util.List;

/**
 * What a tablet has files of. A flush that brings nothing else gives it no more of them for long, as those of one group are merged. It is looked for
 * when somebody asks, once for as long as files and schemas stay the same. Any thread.
 */
final class HeldInFiles {
    private volatile Known last = new Known(new WeakReference<>(List.of()), -1, -1, JoinedGroups.NONE, Held.NOTHING);

    /** Beside a memtable that got its first change under that schema. Files that were replaced are kept by nobody who only knew them. */
    record Known(
            WeakReference<List<TabletFile>> files,
            long schemaVersion,
            long firstVersion,
            JoinedGroups joined,
            Held held) {
        private boolean isOf(TabletView view, TableSchema first) {
            return files.refersTo(view.files())
                    && schemaVersion == view.schema().version()
                    && firstVersion == first.version();
        }
    }

    /** By the groups that such a memtable of the view is counted by. */
    Known beside(Memtable memtable, TabletView view) {
        TableSchema first = memtable.first(view.schema());
        Known known = last;
        if (!known.isOf(view, first)) {
            JoinedGroups joined = JoinedGroups.of(first, view.files(), view.schema());
            Held held = Held.NOTHING;
            for (TabletFile file : view.files()) {
                held = held.and(of(file.facts(), view.schema(), joined));
            }
            known = new Known(
                    new WeakReference<>(view.files()), view.schema().version(), first.version(), joined, held);
            last = known;
        }
        return known;
    }

    private static Held of(FileFacts file, TableSchema schema, JoinedGroups joined) {
        Held named = of(file.reference().getFamilies(), schema, joined);
        // Its reference names all families of its group, of which it may have one: those that have something are told
        // with their ages.
        Held families = file.writtenMicros() == 0
                ? named
                : of(file.ages().stream().map(FamilyAges::getFamily).toList(), schema, joined);
        return named.groupsAlone().and(families.familiesAlone());
    }

    private static Held of(List<Integer> families, TableSchema schema, JoinedGroups joined) {
        Held held = Held.NOTHING;
        for (int family : families) {
            held = held.and(Held.of(family, schema, joined));
        }
        return held;
    }
}
