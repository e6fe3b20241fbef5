package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.ThreadScheduler;
import bt.log.CommitLog;
import bt.log.LogOptions;
import bt.log.LogStream;
import bt.model.Change;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema.Durability;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.rpc.RpcLimits;
import bt.rpc.RpcNetwork;
import bt.rpc.RpcServer;
import bt.sstable.CacheSizes;
import bt.testing.Faults;
import bt.testing.FaultyFileStore;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import bt.testing.MemoryLocks;
import bt.testing.SimScheduler;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One tablet with rows in files and none in memory, read through real sockets with two read threads for each host, or some more. */
final class ServedTablet {
    static final long TABLE = 4;
    static final int ROWS = 400;
    static final int VALUE_BYTES = 20_000;

    /** For one host: half of all. */
    static final int READERS = 2;

    /** A row of a few bytes behind the others. */
    static final Bytes SMALL = Bytes.utf8("small");

    final ThreadScheduler scheduler = new ThreadScheduler();
    /** Reads of files so far, and the threads that did them. */
    final AtomicLong diskReads = new AtomicLong();

    final ConcurrentLinkedQueue<String> diskReaders = new ConcurrentLinkedQueue<>();

    /** How often reads have looked at their clock. */
    final AtomicLong looks = new AtomicLong();

    /** The threads that answered. */
    final ConcurrentLinkedQueue<String> answerers = new ConcurrentLinkedQueue<>();

    /** Nobody renews it but {@link #renewLease}. */
    final Lease lease;

    /** What each read of a file takes. */
    volatile int diskMillis;

    /** Completes once reads of files may go on. */
    volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    final Reads reads;

    /** Of all reads. */
    final Traces traces;

    /** What a read of a file ends with, if it is to be one that nobody expects. */
    volatile @Nullable Error bug;

    private final HostedTablet hosted;
    private final TabletHost host;
    private final Pools pools;
    private final RpcServer server;
    private final CommitQueue queue;
    private long writes;

    ServedTablet() throws Exception {
        this(600_000);
    }

    ServedTablet(long leaseMillis) throws Exception {
        this(leaseMillis, READERS, new ReadRoom());
    }

    ServedTablet(long leaseMillis, int readers, ReadRoom room) throws Exception {
        MemoryFileStore store = new MemoryFileStore(scheduler.clock());
        FaultyFileStore files = new FaultyFileStore(store.process("server"), this::wait, scheduler);
        LogStream stream = new LogStream(LogStream.LIVE, 7, LogStream.USER);
        files.makeDirectory(stream.directory());
        CommitLog log = CommitLog.open(files, stream, LogOptions.DEFAULT, scheduler);
        CommitHooks hooks = new CommitHooks() {
            @Override
            public void evaluateAgain(WriteEntry entry, HostedTablet tablet) {
                throw new AssertionError(entry);
            }

            @Override
            public void compact(HostedTablet tablet) {}

            @Override
            public void compactForLog(HostedTablet tablet) {}
        };
        queue = CommitQueue.start("commit", scheduler, log, 1 << 30, hooks, reason -> {
            throw new AssertionError(reason);
        });
        host = new TabletHost(scheduler, files, new SimScheduler(1));
        hosted = host.host(TABLE, Durability.SYNC, queue);
        scheduler.await(queue.adopt(hosted, new Outcomes()), 60_000);
        Random random = new Random(1);
        for (int i = 0; i < ROWS; i++) {
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            write(row(i), Bytes.wrap(value));
        }
        write(SMALL, Bytes.utf8("few"));
        flush();
        TabletSet tablets = new TabletSet();
        tablets.put(TabletSet.Holding.serving(hosted));
        pools = new Pools(scheduler, config(readers), room);
        lease = lease(leaseMillis);
        traces = new Traces(scheduler.clock(), 1);
        reads = new Reads(tablets, pools, lease, TabletHost.OPEN, counted(scheduler.clock()), traces);
        server = RpcServer.start(
                "127.0.0.1",
                0,
                (caller, request) -> reads.page(
                                caller,
                                (Request.Scan) request,
                                scheduler.clock().nanos())
                        .whenComplete((page, failure) ->
                                answerers.add(Thread.currentThread().getName())),
                scheduler.clock(),
                RpcLimits.DEFAULT);
    }

    private Clock counted(Clock clock) {
        return new Clock() {
            @Override
            public long micros() {
                looks.incrementAndGet();
                return clock.micros();
            }

            @Override
            public long nanos() {
                looks.incrementAndGet();
                return clock.nanos();
            }
        };
    }

    /** How busy the tablet is by what it was asked for since this was last asked, as if it were so many minutes later; rising numbers. */
    long requestsPerMinute(int minutes) {
        return hosted.traffic().perMinute(scheduler.clock().nanos() + TimeUnit.MINUTES.toNanos(minutes));
    }

    void renewLease() {
        scheduler.start("lease", () -> lease.run(Optional::empty));
    }

    /** How many are open. */
    int connections() {
        return server.connections();
    }

    Address address() {
        return server.address();
    }

    RpcNetwork client() {
        return RpcNetwork.open("ada", scheduler.clock(), 1);
    }

    static Bytes row(int number) {
        return Bytes.utf8("row%05d".formatted(number));
    }

    static Request get(int number) {
        return scan(RowRange.row(row(number)));
    }

    static Request scan(RowRange range) {
        PageBounds bounds = new PageBounds(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
        return new Request.Scan(TABLE, range, Filter.ALL, bounds, Optional.empty());
    }

    CompletableFuture<Answer> send(RpcNetwork network, Request request) {
        return network.send(address(), request, 30_000);
    }

    void write(Bytes row, Bytes value) throws Exception {
        write(RowMutation.of(row)
                .set(CommitFixture.COLUMN, Change.SERVER_TIME, value)
                .build());
    }

    void write(RowMutation mutation) throws Exception {
        CompletableFuture<WriteResult> answer = new CompletableFuture<>();
        Write write = new Write(mutation, new WriteId(1, ++writes, writes), Optional.empty());
        long deadline = scheduler.clock().nanos() + TimeUnit.MINUTES.toNanos(1);
        queue.write(WriteEntry.of(new Caller("test", "test", deadline), TABLE, write, answer::complete));
        scheduler.await(answer, 60_000).failure().ifPresent(failure -> {
            throw new AssertionError(failure);
        });
    }

    /** On this thread, as read threads do. */
    Evaluation evaluate(Write write) throws BigtableException {
        return Evaluator.evaluate(
                hosted.tablet(), write, Optional.empty(), scheduler.clock().micros());
    }

    /** What is in memory goes to files. */
    void flush() throws Exception {
        scheduler.await(queue.freeze(hosted), 60_000);
        host.writeFrozen(hosted);
    }

    /** Something that clients' host wants done by a read thread, behind what it has sent. */
    void execute(Runnable work) {
        pools.reads(TABLE).execute("127.0.0.1", work);
    }

    /** Waits until the read threads are done with all that has come so far. */
    void awaitIdle() throws Exception {
        CountDownLatch here = new CountDownLatch(READERS);
        for (int i = 0; i < READERS; i++) {
            // Behind what clients have sent, in their turn; and each thread has one, for it waits for the others.
            execute(() -> {
                here.countDown();
                await(here);
            });
        }
        assertThat(here.await(60, TimeUnit.SECONDS)).isTrue();
    }

    static void await(CountDownLatch all) {
        try {
            all.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    void close() throws Exception {
        gate.complete(null);
        server.close();
        pools.close();
        scheduler.await(queue.close(), 60_000);
        scheduler.close();
    }

    private Faults.Fault wait(FileOperation operation, String path) {
        if (operation == FileOperation.READ) {
            diskReads.incrementAndGet();
            diskReaders.add(Thread.currentThread().getName());
            gate.join();
            Error planted = bug;
            if (planted != null) {
                throw planted;
            }
            return new Faults.Fault(diskMillis, Faults.Failure.NONE);
        }
        return Faults.NONE;
    }

    private Lease lease(long leaseMillis) throws Exception {
        MemoryLocks locks = new MemoryLocks();
        Identity self = new Identity("server", new Address("server", 1), 7);
        Lease.Held held = new Lease.Held(
                locks.tryLock("lock", Bytes.EMPTY).orElseThrow(),
                scheduler.clock().nanos());
        return new Lease(scheduler, locks, self, held, leaseMillis, reason -> {
            throw new AssertionError(reason);
        });
    }

    static TabletServerConfig config() {
        return config(READERS);
    }

    private static TabletServerConfig config(int readers) {
        TabletServerConfig config = TabletServerConfig.DEFAULT;
        CacheSizes caches = config.caches();
        return new TabletServerConfig(
                config.tablet(),
                config.log(),
                config.leaseMillis(),
                config.memtableBytes(),
                config.metadataMemtableBytes(),
                caches,
                caches,
                2 * readers,
                config.compactors(),
                config.compactionBytesPerSecond(),
                config.splits(),
                0,
                config.loadMillis(),
                config.stopMillis(),
                config.leaseStepMillis(),
                config.tabletBytes());
    }
}
