package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.log.CommitLog;
import bt.log.LogOptions;
import bt.log.LogStream;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.SplitIntent;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.FileReference;
import bt.record.Phase;
import bt.record.TabletState;
import bt.sstable.CacheSizes;
import bt.tablet.FileNames;
import bt.tablet.Scripts;
import bt.tablet.TabletCaches;
import bt.tablet.TabletConfig;
import bt.tablet.TabletContext;
import bt.tabletserver.TabletLoader.Loaded;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A load that METADATA does not answer gives its thread back: the loads of other tablets wait for it. */
class TabletLoaderSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final long EPOCH = 1L << 40;
    private static final Identity SELF = new Identity("a server", Address.parse("somewhere:1"), EPOCH);
    private static final CacheSizes CACHES = new CacheSizes(1 << 20, 1 << 20, 1 << 20);

    /** What a load waits for METADATA, and what else of it takes time. */
    private static final Duration LEAST = Duration.ofSeconds(8);

    private static final Duration MOST = Duration.ofSeconds(15);

    private final SimCluster cluster = new SimCluster(7, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final Silent network = new Silent(ports.network(), ports.scheduler());
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
    private final LoadWatch loads = new LoadWatch(ports.scheduler().clock(), 600_000, () -> 0L);

    @Test
    void theRowIsReadForAWhile() {
        tell((loader, row) -> {
            network.silent = request -> request instanceof Request.Scan;
            assertGivesUp(UnavailableException.class, () -> load(loader, row, false));
            network.silent = request -> false;
            assertThat(load(loader, row, false)).isPresent();
        });
    }

    @Test
    void aSplitThatIsHalfDoneIsCompletedForAWhile() {
        tell((loader, row) -> {
            TabletId lower = new TabletId(row.id().tableId(), Optional.of(Bytes.utf8("m")));
            SplitIntent split = new SplitIntent(new MetadataRow(lower, 0, 0, row.location(), row.state()));
            MetadataRow halfDone = replace(
                    row,
                    Phase.LOADING,
                    TabletState.newBuilder(row.state())
                            .setPreviousEndRow(AvroBytes.buffer(lower.endRow()))
                            .setIntents(List.of(split.encode()))
                            .build());
            network.silent = request -> request instanceof Request.Mutate;
            assertGivesUp(UnavailableException.class, () -> load(loader, halfDone, false));
            network.silent = request -> false;
            Loaded loaded = load(loader, halfDone, false).orElseThrow();
            assertThat(loader.begin(loaded, 10_000)).isEmpty();
            assertThat(metadata.read(lower)).isPresent();
        });
    }

    @Test
    void aTabletThatIsNotServedIsTakenBackForAWhile() {
        tell((loader, row) -> {
            MetadataRow lost = replace(row, Phase.SERVING, row.state());
            network.silent = request -> request instanceof Request.Mutate;
            assertGivesUp(UnavailableException.class, () -> load(loader, lost, true));
            network.silent = request -> false;
            assertThat(load(loader, lost, true)).isPresent();
            assertThat(metadata.read(lost.id()).orElseThrow().location()).isEqualTo(SELF.location(Phase.LOADING));
        });
    }

    /** The damage itself is told either way. */
    @Test
    void damageIsToldForAWhile() {
        tell((loader, row) -> {
            String path = "data/" + row.id().tableId() + "/9/1";
            write(path);
            MetadataRow damaged = replace(
                    row,
                    Phase.LOADING,
                    TabletState.newBuilder(row.state())
                            .setFiles(List.of(FileReference.newBuilder()
                                    .setPath(path)
                                    .setBytes(1)
                                    .setFamilies(List.of(1))
                                    .setSmallestSequence(1)
                                    .setLargestSequence(1)
                                    .build()))
                            .build());
            network.silent = request -> request instanceof Request.Mutate;
            assertGivesUp(CorruptionException.class, () -> load(loader, damaged, false));
            network.silent = request -> false;
            // What was sent may be there.
            assertThatThrownBy(() -> load(loader, damaged, false)).isInstanceOf(CorruptionException.class);
            assertThat(metadata.read(row.id()).orElseThrow().damage().orElseThrow())
                    .contains(path);
        });
    }

    @Test
    void whetherATabletIsServedHereIsAskedForAWhile() {
        tell((loader, row) -> {
            network.silent = request -> request instanceof Request.Scan;
            assertGivesUp(UnavailableException.class, () -> loader.isServedHere(row.id()));
            network.silent = request -> false;
            assertThat(loader.isServedHere(row.id())).isFalse();
        });
    }

    /** It has changed nothing: another server may load the tablet. */
    @Test
    void aLoadThatMetadataDoesNotTakeIsGivenUpAfterHalfAMinute() {
        tell((loader, row) -> {
            Loaded loaded = load(loader, row, false).orElseThrow();
            network.refuses = request -> request instanceof Request.Mutate;
            assertThat(loader.begin(loaded, 10_000)).isPresent();
            assertThat(loader.begin(loaded, 10_000)).isPresent();
            assertThat(loaded.tablet().isClosed()).isFalse();
            assertThatThrownBy(() -> loader.begin(loaded, 11_000)).isInstanceOf(UnavailableException.class);
            assertThat(loaded.tablet().isClosed()).isTrue();
            assertThat(metadata.read(row.id())).contains(row);
        });
    }

    /** Nobody else will serve it, if METADATA says that we do. */
    @Test
    void aLoadThatMetadataMayHaveTakenIsNot() {
        tell((loader, row) -> {
            Loaded loaded = load(loader, row, false).orElseThrow();
            network.silent = request -> request instanceof Request.Mutate;
            for (int i = 0; i < 6; i++) {
                assertThat(loader.begin(loaded, 10_000)).isPresent();
            }
            network.silent = request -> false;
            assertThat(loader.begin(loaded, 10_000)).isEmpty();
            assertThat(loaded.tablet().isClosed()).isFalse();
            assertThat(loader.isServedHere(row.id())).isTrue();
        });
    }

    /** What a test does with a server's loads, and with a tablet's row that says that it is to load it. */
    private interface Story {
        void tell(TabletLoader loader, MetadataRow row) throws BigtableException, InterruptedException;
    }

    private void tell(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(10), () -> {
            try {
                try (Bigtable client = cluster.client()) {
                    client.admin().createTable(DRAFT, List.of());
                }
                // Nobody but we changes the row from here on.
                cluster.crashActiveMaster();
                MetadataRow row = metadata.scan(1, 1).get(0);
                story.tell(loader(), replace(row, Phase.LOADING, row.state()));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private TabletLoader loader() throws BigtableException {
        Scheduler scheduler = ports.scheduler();
        TabletContext context = new TabletContext(
                ports.files(),
                TabletCaches.of(CACHES, CACHES),
                scheduler.clock(),
                new FileNames(EPOCH),
                TabletConfig.DEFAULT,
                new Scripts(List.of(), 1),
                () -> false);
        SchemaWatch schemas = new SchemaWatch(scheduler, ports.locks(), new TabletSet());
        scheduler.start("schemas", schemas::run);
        return new TabletLoader(
                new MetadataTable(network, ports.locks(), scheduler, ports.random()),
                schemas,
                scheduler,
                context,
                new SegmentSorts(ports.files(), scheduler, EPOCH, 1 << 20),
                new CommitQueues(queue(LogStream.METADATA), queue(LogStream.USER)),
                new TabletMemory(new TabletSet(), scheduler.clock(), 0, 1L << 30),
                SELF);
    }

    private CommitQueue queue(String name) throws BigtableException {
        LogStream stream = new LogStream(LogStream.LIVE, EPOCH, name);
        ports.files().makeDirectory(stream.directory());
        CommitLog log = CommitLog.open(ports.files(), stream, LogOptions.DEFAULT, ports.scheduler());
        return CommitQueue.start(name, ports.scheduler(), log, 1 << 20, new NoHooks(), reason -> {
            throw new AssertionError(reason);
        });
    }

    /** Nothing is written. */
    private static final class NoHooks implements CommitHooks {
        @Override
        public void evaluateAgain(WriteEntry entry, HostedTablet tablet) {
            throw new AssertionError("a write");
        }

        @Override
        public void compact(HostedTablet tablet) {
            throw new AssertionError("a memtable");
        }

        @Override
        public void compactForLog(HostedTablet tablet) {
            throw new AssertionError("a log");
        }
    }

    private Optional<Loaded> load(TabletLoader loader, MetadataRow row, boolean unserved)
            throws BigtableException, InterruptedException {
        return loader.load(row.id(), loads.begin(), unserved);
    }

    private MetadataRow replace(MetadataRow row, Phase phase, TabletState state)
            throws BigtableException, InterruptedException {
        return metadata.replace(row, SELF.location(phase), state, "test");
    }

    private void write(String path) throws BigtableException {
        ports.files().makeDirectory(path.substring(0, path.lastIndexOf('/')));
        try (FileWriter writer = ports.files().create(path, FileStore.Placement.DATA)) {
            byte[] noTable = new byte[1_000];
            writer.append(noTable, 0, noTable.length);
        }
    }

    private void assertGivesUp(Class<? extends BigtableException> with, ThrowingCallable waiting) {
        long began = cluster.scheduler().clock().nanos();
        assertThatThrownBy(waiting).isInstanceOf(with).isNotInstanceOf(RejectedException.class);
        assertThat(Duration.ofNanos(cluster.scheduler().clock().nanos() - began))
                .isBetween(LEAST, MOST);
    }

    /** Whose answers do not come, or come to nothing; from when it is set. */
    private static final class Silent implements Network {
        private final Network inner;
        private final Scheduler scheduler;
        private Predicate<Request> silent = request -> false;
        private Predicate<Request> refuses = request -> false;

        Silent(Network inner, Scheduler scheduler) {
            this.inner = inner;
            this.scheduler = scheduler;
        }

        @Override
        public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
            if (refuses.test(request)) {
                return CompletableFuture.failedFuture(new UnavailableException("not now", Outcome.NOT_APPLIED));
            }
            if (silent.test(request)) {
                CompletableFuture<Answer> never = new CompletableFuture<>();
                scheduler.after(
                        timeoutMillis,
                        () -> never.completeExceptionally(new UnavailableException("no answer", Outcome.UNKNOWN)));
                return never;
            }
            return inner.send(to, request, timeoutMillis);
        }
    }
}
