package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Halt;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.fs.FileStore;
import bt.fs.LocalBlocks;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.script.ScriptEngine;
import bt.tabletserver.Registration.Registered;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One tablet server process. It answers UNAVAILABLE until it is registered, which waits for a master's cluster. */
public final class TabletServer implements Service {
    private static final Logger log = LoggerFactory.getLogger(TabletServer.class);

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile @Nullable RunningServer running;
    private volatile boolean stopped;

    private TabletServer() {}

    /**
     * What a tablet server works through. The lease has a client of the lock service to itself: its session is the
     * server's life. Turns complete when every event loop that brings requests had one. The random generator names the process and its writes.
     */
    public record Ports(
            FileStore files,
            LocalBlocks localBlocks,
            LockService locks,
            LockService leaseLocks,
            Network network,
            Scheduler scheduler,
            RandomGenerator random,
            List<ScriptEngine> engines,
            Supplier<CompletableFuture<Void>> turns,
            Halt halt) {
        /** Without a disk of its own. */
        public Ports(
                FileStore files,
                LockService locks,
                LockService leaseLocks,
                Network network,
                Scheduler scheduler,
                RandomGenerator random,
                List<ScriptEngine> engines,
                Supplier<CompletableFuture<Void>> turns,
                Halt halt) {
            this(files, LocalBlocks.NONE, locks, leaseLocks, network, scheduler, random, engines, turns, halt);
        }
    }

    /** The same for a process without a name. */
    public static TabletServer start(TabletServerConfig config, Ports ports, Address address) {
        return start(config, ports, address, "");
    }

    /**
     * Begins to register. The address is where this service is reached; the process is named so by whoever started it, and
     * will say by that name that it has ended.
     */
    public static TabletServer start(TabletServerConfig config, Ports ports, Address address, String process) {
        TabletServer server = new TabletServer();
        String nonce = Long.toHexString(ports.random().nextLong());
        ports.scheduler()
                .start(
                        "register",
                        () -> server.register(config, ports, new Registration.Place(address, nonce, process)));
        return server;
    }

    @Override
    public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
        RunningServer server = running;
        if (server == null) {
            return CompletableFuture.failedFuture(
                    new UnavailableException("this tablet server does not serve yet", Outcome.NOT_APPLIED));
        }
        return server.service().handle(caller, request);
    }

    /** For tests that look at what it serves: none before it is registered. */
    TabletSet tablets() {
        RunningServer server = running;
        return server == null ? new TabletSet() : server.tablets();
    }

    /** Completes when the server has ended as it was asked to, by {@link #stop} or StopProcess. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Begins to hand all tablets back; {@link #ended} tells when that is done. */
    public void stop() {
        stopped = true;
        RunningServer server = running;
        if (server != null) {
            server.stop();
        }
    }

    /** Stops answering and releases the lock, in milliseconds: what is in memory is left to recovery. */
    public void abandon() {
        stopped = true;
        RunningServer server = running;
        if (server != null) {
            server.abandon();
        }
    }

    private void register(TabletServerConfig config, Ports ports, Registration.Place place)
            throws InterruptedException {
        try {
            Optional<Registered> registered = new Registration(ports, place, config).run(() -> stopped);
            if (registered.isEmpty()) {
                ended.complete(null);
                return;
            }
            RunningServer started = RunningServer.start(config, ports, registered.get(), ended);
            running = started;
            if (stopped) {
                // Asked while it was in between, when there was nobody yet to be told.
                started.stop();
            }
            Identity self = registered.get().self();
            log.info("{} serves, epoch {}", self.id(), self.epoch());
        } catch (BigtableException refused) {
            log.error("tablet server: {}", refused.getMessage());
            ports.halt().halt(refused.getMessage());
        }
    }
}
