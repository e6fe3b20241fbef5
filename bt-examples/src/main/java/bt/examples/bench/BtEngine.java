package bt.examples.bench;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.fs.FileStore;
import bt.fs.local.LocalFileStore;
import bt.model.Bloom;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.sstable.CacheSizes;
import bt.tablet.Compacted;
import bt.tablet.CompactionPlan;
import bt.tablet.Compactions;
import bt.tablet.FileNames;
import bt.tablet.Frozen;
import bt.tablet.MinorCompaction;
import bt.tablet.Pace;
import bt.tablet.Scripts;
import bt.tablet.Tablet;
import bt.tablet.TabletCaches;
import bt.tablet.TabletConfig;
import bt.tablet.TabletContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One tablet of ours on a local disk, with all that a tablet server has beneath its network. */
final class BtEngine implements Engine {
    static final String FAMILY = "f";
    private static final long TABLE = 1;
    private static final long EPOCH = 1;

    /** For so long after a load compactions drop nothing: reads of large rows may go on. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    private final Entries entries;
    private final LeapingClock clock = new LeapingClock();
    private final TabletContext context;
    private final Tablet tablet;
    private final TabletWriter writer;

    BtEngine(EngineOptions setup, Entries entries) throws BigtableException {
        this.entries = entries;
        FileStore files = LocalFileStore.open(setup.directory());
        TabletConfig usual = TabletConfig.DEFAULT;
        TabletConfig config = new TabletConfig(
                setup.memtableBytes(), usual.workBytesPerPage(), usual.compiledScripts(), usual.scriptBudget());
        // All of it for blocks, as the other system has it.
        CacheSizes caches = new CacheSizes(setup.cacheBytes(), 0, 0);
        this.context = new TabletContext(
                files,
                TabletCaches.of(caches, caches),
                clock,
                new FileNames(EPOCH),
                config,
                new Scripts(List.of(), 1),
                () -> false);
        this.tablet = Tablet.open(new TabletId(TABLE, Optional.empty()), schema(setup), empty(), context);
        this.tablet.passOn();
        this.writer =
                setup.log() ? TabletWriter.logged(tablet, files, this::write) : TabletWriter.of(tablet, this::write);
    }

    private static TableSchema schema(EngineOptions setup) {
        Bloom bloom = new Bloom(setup.bloomBitsPerKey(), false);
        TableSchema draft = TableSchema.draft("bench")
                .group(new LocalityGroup(LocalityGroup.DEFAULT_NAME, setup.blockBytes(), setup.codec(), false, bloom))
                .family(FAMILY, GcRule.KEEP_ALL)
                .durability(Durability.FLUSH)
                .build();
        return new TableSchema(
                TABLE, draft.name(), 1, draft.nextFamilyId(), draft.durability(), draft.families(), draft.groups());
    }

    private static TabletState empty() {
        return TabletState.newBuilder()
                .setFiles(List.of())
                .setLogs(List.of())
                .setIntents(List.of())
                .setBulkLoads(List.of())
                .build();
    }

    /** A minor compaction. */
    private void write(Frozen frozen) throws BigtableException {
        try {
            List<FileReference> written = MinorCompaction.write(frozen, context, Pace.AT_ONCE);
            tablet.install(frozen, tablet.prepare(Compacted.written(written)));
        } catch (InterruptedException impossible) {
            // It keeps to no pace.
            throw new AssertionError(impossible);
        }
    }

    @Override
    public String system() {
        return "bt";
    }

    @Override
    public Session session() {
        return new BtSession(tablet, writer, entries);
    }

    @Override
    public void flush() throws Exception {
        writer.flush();
    }

    @Override
    public void compact() throws Exception {
        // Or every entry would pass unjudged.
        clock.leap(FRESH);
        Compactions compactions = tablet.compactions();
        for (CompactionPlan plan : compactions.planMajor()) {
            tablet.install(tablet.prepare(compactions.write(plan, Pace.AT_ONCE)));
        }
        checkState(
                tablet.files().size() == 1,
                "%d files after a major compaction",
                tablet.files().size());
    }

    @Override
    public void close() throws BigtableException {
        writer.close();
        tablet.close();
    }
}
