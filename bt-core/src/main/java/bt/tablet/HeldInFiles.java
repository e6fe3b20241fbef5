package bt.tablet;

import bt.model.TableSchema;
import bt.record.FamilyAges;
import java.lang.ref.WeakReference;
import java.util.List;

/**
 * What a tablet has files of. A flush that brings nothing else gives it no more of them for long, as those of one group are merged. It is looked for
 * when somebody asks, once for as long as files and schema stay the same. Any thread.
 */
final class HeldInFiles {
    private volatile Known last = new Known(new WeakReference<>(List.of()), -1, Held.NOTHING);

    /** Files that were replaced are kept by nobody who only knew them. */
    private record Known(WeakReference<List<TabletFile>> files, long schemaVersion, Held held) {
        boolean isOf(TabletView view) {
            return files.refersTo(view.files())
                    && schemaVersion == view.schema().version();
        }
    }

    Held in(TabletView view) {
        Known known = last;
        if (!known.isOf(view)) {
            Held held = Held.NOTHING;
            for (TabletFile file : view.files()) {
                held = held.and(of(file.facts(), view.schema()));
            }
            known = new Known(new WeakReference<>(view.files()), view.schema().version(), held);
            last = known;
        }
        return known.held;
    }

    private static Held of(FileFacts file, TableSchema schema) {
        Held named = of(file.reference().getFamilies(), schema);
        // Its reference names all families of its group, of which it may have one: those that have something are told
        // with their ages.
        Held families = file.writtenMicros() == 0
                ? named
                : of(file.ages().stream().map(FamilyAges::getFamily).toList(), schema);
        // One from before a regrouping is to become a file of each of its groups.
        return named.groups() == 1 ? named.groupsAlone().and(families.familiesAlone()) : families.familiesAlone();
    }

    private static Held of(List<Integer> families, TableSchema schema) {
        Held held = Held.NOTHING;
        for (int family : families) {
            held = held.and(Held.of(family, schema));
        }
        return held;
    }
}
