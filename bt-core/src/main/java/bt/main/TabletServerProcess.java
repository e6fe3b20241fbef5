package bt.main;

import bt.base.BigtableException;
import bt.base.Halt;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.protocol.Address;
import bt.script.ScriptEngine;
import bt.tabletserver.TabletServer;
import java.security.SecureRandom;
import java.util.List;
import java.util.ServiceLoader;

/** A tablet server with all that it stands on. */
final class TabletServerProcess implements ServerProcess {
    private final Ground ground;
    private final LockService leaseLocks;
    private final TabletServer server;

    private TabletServerProcess(Ground ground, LockService leaseLocks, TabletServer server) {
        this.ground = ground;
        this.leaseLocks = leaseLocks;
        this.server = server;
    }

    /** Listens and begins to register, which waits for a master. */
    static TabletServerProcess start(ServerSettings settings, Halt halt) throws BigtableException {
        Ground ground = Ground.open(settings, settings.tabletServerPort(), halt);
        try {
            LockService leaseLocks = ground.locks(settings);
            List<ScriptEngine> engines = ServiceLoader.load(ScriptEngine.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
            TabletServer server = TabletServer.start(
                    settings.tabletServer(),
                    new TabletServer.Ports(
                            ground.files(),
                            ground.locks(),
                            leaseLocks,
                            ground.network(),
                            ground.scheduler(),
                            new SecureRandom(),
                            engines,
                            halt),
                    ground.address());
            ground.doorway().open(server);
            Presence.announce(ground.locks(), "tabletserver", ground.address());
            return new TabletServerProcess(ground, leaseLocks, server);
        } catch (BigtableException failed) {
            ground.close();
            throw failed;
        }
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
