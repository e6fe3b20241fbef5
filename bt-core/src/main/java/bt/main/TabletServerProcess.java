package bt.main;

import bt.base.BigtableException;
import bt.base.Halt;
import bt.base.Scheduler;
import bt.base.ThreadScheduler;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.protocol.Address;
import bt.record.Phase;
import bt.script.ScriptEngine;
import bt.tabletserver.TabletServer;
import java.security.SecureRandom;
import java.util.List;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A tablet server with all that it stands on. */
final class TabletServerProcess implements ServerProcess {
    private static final Logger log = LoggerFactory.getLogger(TabletServerProcess.class);

    /** For the lock, once everything is handed back. */
    private static final long RELEASE_MILLIS = 10_000;

    private final Ground ground;
    private final LockService leaseLocks;
    private final TabletServer server;
    private final long stopMillis;

    private TabletServerProcess(Ground ground, LockService leaseLocks, TabletServer server, long stopMillis) {
        this.ground = ground;
        this.leaseLocks = leaseLocks;
        this.server = server;
        this.stopMillis = stopMillis;
    }

    /** Listens and begins to register, which waits for a master. */
    static TabletServerProcess start(ServerSettings settings, Halt halt) throws BigtableException {
        Ground ground = Ground.open(settings, settings.tabletServerBerth(), halt);
        try {
            LockService leaseLocks = ground.locks(settings);
            List<ScriptEngine> engines = ServiceLoader.load(ScriptEngine.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
            TabletServer server = TabletServer.start(
                    settings.tabletServer(),
                    new TabletServer.Ports(
                            ground.files(),
                            ground.localBlocks(settings),
                            ground.locks(),
                            leaseLocks,
                            ground.network(),
                            ground.scheduler(),
                            new SecureRandom(),
                            engines,
                            ground::turns,
                            halt),
                    ground.address(),
                    System.getProperty("bt.process", ""));
            ground.doorway().open(server);
            Presence.announce(ground.locks(), "tabletserver", ground.address());
            return new TabletServerProcess(
                    ground, leaseLocks, server, settings.tabletServer().endMillis() + RELEASE_MILLIS);
        } catch (BigtableException failed) {
            ground.close();
            throw failed;
        }
    }

    /** Whether the root tablet is served here, as its row says. */
    boolean servesRoot() throws BigtableException, InterruptedException {
        MetadataTable metadata = new MetadataTable(ground.network(), ground.locks(), ground.scheduler());
        return metadata.read(MetadataSchema.ROOT)
                .map(MetadataRow::location)
                .filter(location -> location.getPhase() == Phase.SERVING)
                .filter(location -> location.getAddress().equals(address().toString()))
                .isPresent();
    }

    @Override
    public Address address() {
        return ground.address();
    }

    @Override
    public Scheduler scheduler() {
        return ground.scheduler();
    }

    @Override
    public boolean hasEnded() {
        return server.ended().isDone();
    }

    /**
     * At SIGTERM one server of several has its tablets moved to the others first, for as long as they do go. Not on YARN, which kills a quarter of a
     * second later: there whoever ends a container asks the server before.
     */
    @Override
    public void abandonAtExit() {
        ThreadScheduler.atExit("stop", () -> {
            try {
                if (!hasEnded() && System.getProperty("bt.process", "").isEmpty() && hasNeighbours()) {
                    server.stop();
                    scheduler().await(server.ended(), stopMillis);
                }
            } catch (BigtableException late) {
                log.warn("stop: {}; what is left is recovered from the log", late.getMessage());
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            abandon();
        });
    }

    private boolean hasNeighbours() {
        try {
            return ground.locks().children(Paths.SERVERS).size() > 1;
        } catch (BigtableException unknown) {
            log.warn("stop: {}", unknown.getMessage());
            return false;
        }
    }

    /** Stops acknowledging and releases the lock, in milliseconds, without a flush: recovery begins at once. */
    @Override
    public void abandon() {
        server.abandon();
        leaseLocks.close();
    }

    @Override
    public void close() {
        server.abandon();
        ground.close();
    }
}
