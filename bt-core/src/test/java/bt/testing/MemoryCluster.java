package bt.testing;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.coord.Paths;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.RootRows;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Servers in memory, with METADATA in two tablets and as many tables as a test wants, written and found through the real
 * METADATA. The test may lose requests and answers, and move tablets.
 */
public final class MemoryCluster implements Network, AutoCloseable {
    /** What happens to a request. */
    public enum Fate {
        DELIVERED,
        NO_CONNECTION,
        REQUEST_LOST,
        ANSWER_LOST
    }

    public final MemoryLocks locks = new MemoryLocks();
    public final ThreadScheduler scheduler = new ThreadScheduler();
    public final MetadataTable metadata;

    private final MemoryTables tables = new MemoryTables();
    private final Map<Address, Service> servers = new ConcurrentHashMap<>();
    private volatile BiFunction<Address, Request, Fate> fates = (to, request) -> Fate.DELIVERED;

    /** The root tablet is served by host 1, METADATA's other tablet by host 2. */
    public MemoryCluster() throws BigtableException, InterruptedException {
        metadata = new MetadataTable(this, locks, scheduler);
        tables.add(MetadataSchema.SCHEMA);
        locks.create(Paths.ROOT, RootRows.unassigned());
        load(MetadataSchema.ROOT, 1);
        metadata.create(MetadataSchema.LAST, TabletStates.empty(MetadataSchema.ROOT.endRow()), "created");
        load(MetadataSchema.LAST, 2);
    }

    public static Address address(int host) {
        return new Address("host" + host, 1);
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** The server of a host, which comes into being when it is first named. */
    public MemoryService server(int host) {
        return (MemoryService) servers.computeIfAbsent(address(host), a -> new MemoryService(tables));
    }

    /** Something else than a tablet server. */
    public void listen(Address address, Service service) {
        servers.put(address, service);
    }

    /** Decides what happens to every request from now on. */
    public void fates(BiFunction<Address, Request, Fate> wanted) {
        fates = wanted;
    }

    /** A table with a tablet for each end row and one more, all on one host. */
    public TableSchema table(long tableId, TableSchema draft, List<Bytes> endRows, int host)
            throws BigtableException, InterruptedException {
        TableSchema schema = new TableSchema(
                tableId, draft.name(), 1, draft.nextFamilyId(), draft.durability(), draft.families(), draft.groups());
        tables.add(schema);
        Optional<Bytes> previous = Optional.empty();
        for (Bytes end : endRows) {
            metadata.create(new TabletId(tableId, Optional.of(end)), TabletStates.empty(previous), "created");
            load(new TabletId(tableId, Optional.of(end)), host);
            previous = Optional.of(end);
        }
        metadata.create(new TabletId(tableId, Optional.empty()), TabletStates.empty(previous), "created");
        load(new TabletId(tableId, Optional.empty()), host);
        locks.create(Paths.table(tableId), TableFile.encode(Schemas.encode(schema)));
        return schema;
    }

    /** A tablet that nobody serves is served by this host. */
    public void load(TabletId id, int host) throws BigtableException, InterruptedException {
        MetadataRow row = metadata.read(id).orElseThrow();
        server(host).serve(id.tableId(), row.range());
        metadata.replace(row, location(host), row.state(), "serving");
    }

    /** A tablet goes from one host to another; clients learn of it when they are refused. */
    public void move(TabletId id, int from, int to) throws BigtableException, InterruptedException {
        unload(id, from);
        load(id, to);
    }

    public void unload(TabletId id, int from) throws BigtableException, InterruptedException {
        MetadataRow row = metadata.read(id).orElseThrow();
        metadata.replace(row, TabletStates.unassigned(), row.state(), "unloaded");
        server(from).unload(id.tableId(), row.range());
    }

    /** What a dropped table leaves of its tablets in METADATA. */
    public void markGone(TabletId id) throws BigtableException, InterruptedException {
        MetadataRow row = metadata.read(id).orElseThrow();
        TabletState gone = TabletState.newBuilder(row.state()).setGone(true).build();
        metadata.replace(row, row.location(), gone, "dropped");
    }

    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        Service server = servers.get(to);
        Fate fate = server == null ? Fate.NO_CONNECTION : fates.apply(to, request);
        if (server == null || fate == Fate.NO_CONNECTION) {
            return CompletableFuture.failedFuture(
                    new UnavailableException(to + ": no connection", Outcome.NOT_APPLIED));
        }
        if (fate == Fate.REQUEST_LOST) {
            return CompletableFuture.failedFuture(new UnavailableException(to + ": no answer"));
        }
        CompletableFuture<Answer> answer =
                server.handle(new Caller("test", "test", 0), request).thenApply(a -> (Answer) a);
        return fate == Fate.DELIVERED
                ? answer
                : CompletableFuture.failedFuture(new UnavailableException(to + ": no answer"));
    }

    @Override
    public void close() {
        scheduler.close();
    }

    private static TabletLocation location(int host) {
        return new TabletLocation(
                Phase.SERVING, "host" + host + "_1_n", address(host).toString(), (long) host);
    }
}
