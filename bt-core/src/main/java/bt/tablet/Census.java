package bt.tablet;

import bt.model.FamilySchema;
import bt.model.TableSchema;
import bt.record.FamilyAges;
import bt.record.FamilyCount;
import bt.record.SSTableProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a tablet holds: of each family in the memtables, those too that are being written to files, and in each of its
 * files; and what of each family waits to be purged. By family id.
 */
public record Census(List<FamilySize> memory, List<File> files, List<Waiting> waiting) {
    public Census {
        memory = List.copyOf(memory);
        files = List.copyOf(files);
        waiting = List.copyOf(waiting);
    }

    /**
     * A file: the families that it may hold, its bytes on disk, its deletions, and what it holds of each family, in bytes
     * before compression. Of a file that is shared all of it is told.
     */
    public record File(List<Integer> families, long bytes, long deletions, List<FamilySize> cells) {
        public File {
            families = List.copyOf(families);
            cells = List.copyOf(cells);
        }
    }

    /**
     * How long the oldest change has been waiting that may have to leave memory and disk, because it is deleted or garbage
     * or says so of others; and how long the oldest deletion, if one waits. In microseconds.
     */
    public record Waiting(FamilySchema family, long longestMicros, OptionalLong deletionMicros) {
        /** Whether the family's promise is broken. */
        public boolean isTooLong() {
            return family.purgeMicros().isPresent()
                    && longestMicros > family.purgeMicros().getAsLong();
        }
    }

    static Census of(TabletView view, long nowMicros) {
        Map<Integer, FamilySize> memory = new TreeMap<>();
        for (Memtable memtable : view.memtables()) {
            memtable.familySizes().forEach(size -> memory.merge(size.family(), size, FamilySize::plus));
        }
        List<Asked> files = view.files().stream().map(Asked::of).toList();
        return new Census(
                new ArrayList<>(memory.values()),
                files.stream().map(Census::file).toList(),
                Waiters.of(view, files).all(view.schema(), nowMicros));
    }

    /** A file, and what it tells of its families, which is not to be asked for twice. */
    private record Asked(TabletFile file, SSTableProperties ofFamilies) {
        static Asked of(TabletFile file) {
            return new Asked(file, file.ofFamilies());
        }
    }

    /** What may wait, of each file and of each memtable, asked once. */
    private record Waiters(List<AgedFile> files, List<PerFamily<ChangeTimes>> memtables) {
        /** Of a file that an earlier program wrote nobody knows. */
        private record AgedFile(FileFacts facts, PerFamily<FamilyAges> ages) {}

        static Waiters of(TabletView view, List<Asked> files) {
            return new Waiters(
                    files.stream()
                            .map(asked -> asked.file().facts(asked.ofFamilies()))
                            .map(facts -> new AgedFile(facts, PerFamily.of(facts)))
                            .toList(),
                    view.memtables().stream()
                            .map(memtable -> PerFamily.of(memtable.times()))
                            .toList());
        }

        List<Waiting> all(TableSchema schema, long nowMicros) {
            return schema.families().stream()
                    .flatMap(family -> waiting(family, this, nowMicros).stream())
                    .toList();
        }
    }

    private static Optional<Waiting> waiting(FamilySchema family, Waiters waiters, long nowMicros) {
        long since = Expiry.NEVER;
        long deletion = 0;
        for (Waiters.AgedFile file : waiters.files()) {
            FileFacts facts = file.facts().with(file.ages().of(family.id()));
            since = facts.writtenMicros() == 0 ? since : Math.min(since, PurgePromise.waitingSince(facts, family));
            deletion = ChangeTimes.earlier(deletion, PurgePromise.deletionMicros(facts, family.id()));
        }
        for (PerFamily<ChangeTimes> memtable : waiters.memtables()) {
            List<ChangeTimes> times = memtable.of(family.id());
            since = Math.min(since, PurgePromise.waitingSince(times, family));
            deletion = ChangeTimes.earlier(deletion, PurgePromise.deletionMicros(times, family.id()));
        }
        // What expires later does not wait yet; a deletion of just now may seem to be made later than it is now.
        return since > nowMicros && deletion == 0
                ? Optional.empty()
                : Optional.of(new Waiting(
                        family,
                        Math.max(0, nowMicros - since),
                        deletion == 0 ? OptionalLong.empty() : OptionalLong.of(Math.max(0, nowMicros - deletion))));
    }

    private static File file(Asked asked) {
        TabletFile file = asked.file();
        return new File(
                file.families(),
                file.reference().getBytes(),
                Math.max(0, file.properties().getDeletions()),
                asked.ofFamilies().getFamilies().stream().map(Census::cells).toList());
    }

    private static FamilySize cells(FamilyCount count) {
        return new FamilySize(count.getFamily(), count.getCells(), count.getBytes());
    }
}
