package bt.examples.bench;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.TabletListing;
import bt.record.Done;
import bt.record.LoadTablet;
import bt.record.Phase;
import bt.record.RequestReport;
import bt.record.ServerFile;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.record.TabletState;
import bt.record.UnloadTablet;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a master and METADATA see of a tablet server, and nothing behind it: it registers, holds its lock, tells what it has,
 * and turns "loading" into "serving" in METADATA with the same conditional mutation as a real one. It opens no files and
 * serves no rows. Any thread.
 */
final class SimulatedServer implements Service {
    private static final Logger log = LoggerFactory.getLogger(SimulatedServer.class);
    private static final RequestReport NOTHING = new RequestReport(0L, 0L, List.of());

    private final Address address;
    private final MetadataTable metadata;
    private final Executor loads;
    private final Map<TabletId, TabletReport> tablets = new ConcurrentHashMap<>();
    private final String id;
    private final long epoch;
    private final Lock lock;
    private final ReentrantLock telling = new ReentrantLock();

    @GuardedBy("telling") private final TabletListing listing = new TabletListing();

    private volatile boolean dead;

    private SimulatedServer(Address address, MetadataTable metadata, Executor loads, String id, long epoch, Lock lock) {
        this.address = address;
        this.metadata = metadata;
        this.loads = loads;
        this.id = id;
        this.epoch = epoch;
        this.lock = lock;
    }

    static SimulatedServer register(
            Address address, LockService locks, Scheduler scheduler, MetadataTable metadata, Executor loads)
            throws BigtableException {
        String id = address.host() + "_" + address.port() + "_simulated";
        ServerFile content = new ServerFile(address.toString(), "simulated", "simulated", "", 0L);
        SmallFile file = locks.create(Paths.server(id), AvroBytes.encode(content));
        Lock lock = locks.tryLock(Paths.serverLock(id), AvroBytes.encode(content))
                .orElseThrow(() -> new RejectedException(id + ": another has its lock", "choose another id"));
        log.debug("{} is there at {}", id, scheduler.clock().micros());
        return new SimulatedServer(address, metadata, loads, id, file.createdTransaction(), lock);
    }

    long epoch() {
        return epoch;
    }

    int served() {
        return (int) tablets.values().stream()
                .filter(tablet -> tablet.getPhase() == Phase.SERVING)
                .count();
    }

    void release() {
        lock.close();
    }

    /** Answers nobody any more, and its lock is gone. How many tablets it had. */
    int die() {
        dead = true;
        lock.close();
        return tablets.size();
    }

    @Override
    public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
        if (dead) {
            return CompletableFuture.failedFuture(new UnavailableException(id + " is dead", Outcome.NOT_APPLIED));
        }
        if (!(request instanceof Request.Control control)) {
            return CompletableFuture.failedFuture(
                    new RejectedException("a simulated server has no rows", "ask it for its tablets alone"));
        }
        SpecificRecord message = control.message();
        if (message instanceof ServerStatusRequest asked) {
            return CompletableFuture.completedFuture(new Answer.Control(status(asked.getHeardList())));
        }
        if (message instanceof LoadTablet load) {
            TabletId tablet = new TabletId(load.getTableId(), AvroBytes.optionalBytes(load.getEndRow()));
            if (tablets.putIfAbsent(tablet, report(tablet, Phase.LOADING)) == null) {
                loads.execute(() -> load(tablet));
            }
            return CompletableFuture.completedFuture(new Answer.Control(new Done()));
        }
        if (message instanceof UnloadTablet unload) {
            TabletId tablet = new TabletId(unload.getTableId(), AvroBytes.optionalBytes(unload.getEndRow()));
            CompletableFuture<Answer> done = new CompletableFuture<>();
            loads.execute(() -> unload(tablet, unload, done));
            return done;
        }
        return CompletableFuture.failedFuture(new RejectedException(
                "a simulated server knows no " + message.getSchema().getName(), "send it what a master sends"));
    }

    private ServerStatus status(long heardList) {
        List<TabletReport> all = heardList == TabletListing.NO_TABLETS ? List.of() : List.copyOf(tablets.values());
        ServerStatus status = ServerStatus.newBuilder()
                .setServer(id)
                .setEpoch(epoch)
                .setLockHeld(true)
                .setPid(0)
                .setTablets(all)
                .setReads(NOTHING)
                .setWrites(NOTHING)
                .build();
        if (heardList >= TabletListing.NOTHING_HEARD) {
            telling.lock();
            try {
                listing.tell(all, heardList, status);
            } finally {
                telling.unlock();
            }
        }
        return status;
    }

    private static TabletReport report(TabletId tablet, Phase phase) {
        return new TabletReport(
                tablet.tableId(),
                AvroBytes.buffer(tablet.endRow()),
                phase,
                0L,
                0L,
                0,
                null,
                false,
                0L,
                -1L,
                -1L,
                null,
                null,
                0L);
    }

    private void load(TabletId tablet) {
        try {
            MetadataRow row = metadata.read(tablet)
                    .filter(read -> read.location().getEpoch() == epoch)
                    .orElseThrow(() -> new RejectedException(tablet + " is not ours", "ask its server"));
            if (row.location().getPhase() == Phase.LOADING) {
                TabletLocation here = new TabletLocation(Phase.SERVING, id, address.toString(), epoch);
                MetadataRow served = metadata.replace(row, here, row.state(), "served by " + id);
                if (!row.state().getLogs().isEmpty()) {
                    TabletState whole = TabletState.newBuilder(row.state())
                            .setLogs(List.of())
                            .build();
                    metadata.replace(served, here, whole, "has replayed nothing");
                }
            }
            tablets.put(tablet, report(tablet, Phase.SERVING));
        } catch (BigtableException failed) {
            log.info("{}: {}", tablet, failed.getMessage());
            tablets.remove(tablet);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void unload(TabletId tablet, UnloadTablet how, CompletableFuture<Answer> done) {
        try {
            MetadataRow row = metadata.read(tablet)
                    .filter(read -> read.location().getEpoch() == epoch)
                    .orElseThrow(() -> new RejectedException(tablet + " is not ours", "ask its server"));
            TabletLocation next = how.getTarget();
            metadata.replace(row, next == null ? TabletStates.unassigned() : next, row.state(), "left " + id);
            tablets.remove(tablet);
            done.complete(new Answer.Control(new Done()));
        } catch (BigtableException failed) {
            done.completeExceptionally(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
