package bt.tabletserver;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.Version;
import bt.coord.Lock;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.fs.FileReader;
import bt.log.CommitLog;
import bt.log.LogOptions;
import bt.log.LogStream;
import bt.protocol.Address;
import bt.record.ServerFile;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a server comes to be: its file, whose transaction is its epoch; its logs; then its lock. In this order, because the
 * master gives tablets only to who holds its lock: so whoever was ever given one has logs that can be looked for, and a
 * log that is missing is a loss that shows. One thread, once.
 */
final class Registration {
    private static final Logger log = LoggerFactory.getLogger(Registration.class);
    private static final long FIRST_LOOK_MILLIS = 10;
    private static final long RETRY_MILLIS = 200;
    private static final long MAX_RETRY_MILLIS = 10_000;
    static final long MAX_CLOCK_ERROR_MICROS = 60_000_000;
    private static final int MAX_INSTANCE_BYTES = 100;

    private final TabletServer.Ports ports;
    private final Place place;
    private final TabletServerConfig config;
    private final LogOptions options;

    Registration(TabletServer.Ports ports, Place place, TabletServerConfig config) {
        this.ports = ports;
        this.place = place;
        this.config = config;
        this.options = config.log();
    }

    /** Where a server is reached, what makes its id its own, and the name of its process, if it has one. */
    record Place(Address address, String nonce, String process) {}

    /** A server that may be given tablets. */
    record Registered(Identity self, Lease.Held lock, CommitLog metadataLog, CommitLog userLog) {}

    /** Waits until a master has made the cluster, or for nothing once it is stopped; REJECTED when it has no place in it. */
    Optional<Registered> run(BooleanSupplier stopped) throws BigtableException, InterruptedException {
        int attempts = 0;
        // A cluster that starts as one has its master in a moment.
        long pause = FIRST_LOOK_MILLIS;
        while (!stopped.getAsBoolean()) {
            try {
                if (!isClusterMade()) {
                    pause = Math.min(pause + pause / 4, RETRY_MILLIS);
                } else {
                    attempts++;
                    pause = Math.max(pause, RETRY_MILLIS);
                    Optional<Registered> registered = attempt(attempts);
                    if (registered.isPresent()) {
                        return registered;
                    }
                }
            } catch (RejectedException wrong) {
                throw wrong;
            } catch (BigtableException notNow) {
                log.warn("registration: {}; tried again", notNow.getMessage());
                // Each attempt may leave a file of a server, whom the master has to bury.
                pause = attempts == 0 ? RETRY_MILLIS : Math.min(2 * pause, MAX_RETRY_MILLIS);
            }
            ports.scheduler().pause(pause);
        }
        return Optional.empty();
    }

    private boolean isClusterMade() throws BigtableException {
        Optional<SmallFile> instance = ports.locks().read(Paths.INSTANCE);
        if (instance.isEmpty() || ports.locks().read(Paths.SERVERS).isEmpty()) {
            return false;
        }
        String expected = instance.get().content().toUtf8();
        String stored = storedInstance();
        if (!stored.equals(expected)) {
            throw new RejectedException(
                    "lock service holds instance " + expected + ", the file store instance " + stored
                            + ": they belong to different clusters",
                    "point bt at the pair that belongs together");
        }
        return true;
    }

    private String storedInstance() throws BigtableException {
        try (FileReader file = ports.files().open(Paths.INSTANCE)) {
            byte[] id = new byte[(int) Math.min(MAX_INSTANCE_BYTES, file.length())];
            file.readFully(0, id, 0, id.length);
            return Bytes.wrap(id).toUtf8();
        }
    }

    /** Empty when the master declared the new server dead before it had its lock; the next one has another id. */
    private Optional<Registered> attempt(int attempt) throws BigtableException, InterruptedException {
        Address address = place.address();
        String id = address.host() + "_" + address.port() + "_" + place.nonce() + (attempt == 1 ? "" : "-" + attempt);
        Bytes content = AvroBytes.encode(
                new ServerFile(address.toString(), place.nonce(), Version.TEXT, place.process(), config.leaseMillis()));
        SmallFile file = ports.locks().create(Paths.server(id), content);
        long clockError = Math.abs(ports.scheduler().clock().micros() - file.modifiedMicros());
        if (clockError > MAX_CLOCK_ERROR_MICROS) {
            throw new RejectedException(
                    "this machine's clock is " + clockError / 1_000_000
                            + " s away from the lock service's, a server of bt would give wrong timestamps",
                    "set it");
        }
        Identity self = new Identity(id, address, file.createdTransaction());
        LogStream metadata = new LogStream(LogStream.LIVE, self.epoch(), LogStream.METADATA);
        LogStream user = new LogStream(LogStream.LIVE, self.epoch(), LogStream.USER);
        ports.files().makeDirectory(user.directory());
        CommitLog metadataLog = CommitLog.open(ports.files(), metadata, options, ports.scheduler());
        Optional<Registered> registered = Optional.empty();
        try {
            registered = attempt(self, metadataLog, user);
            return registered;
        } finally {
            if (registered.isEmpty()) {
                metadataLog.abandon();
            }
        }
    }

    private Optional<Registered> attempt(Identity self, CommitLog metadataLog, LogStream user)
            throws BigtableException, InterruptedException {
        CommitLog userLog = CommitLog.open(ports.files(), user, options, ports.scheduler());
        Optional<Lease.Held> lock = Optional.empty();
        try {
            lock = lock(self);
        } finally {
            if (lock.isEmpty()) {
                userLog.abandon();
            }
        }
        return lock.map(held -> new Registered(self, held, metadataLog, userLog));
    }

    /**
     * Not given up while the file is there: an attempt whose answer was lost may have taken the lock, and nobody could
     * ever declare that server dead.
     */
    private Optional<Lease.Held> lock(Identity self) throws InterruptedException {
        while (true) {
            long sent = ports.scheduler().clock().nanos();
            try {
                Optional<Lock> lock = ports.leaseLocks().tryLock(Paths.serverLock(self.id()), Bytes.utf8(self.id()));
                if (lock.isPresent()) {
                    return Optional.of(new Lease.Held(lock.get(), sent));
                }
            } catch (BigtableException failed) {
                log.warn("{}: {}", self.id(), failed.getMessage());
            }
            try {
                if (ports.locks().read(Paths.server(self.id())).isEmpty()) {
                    log.warn("{} was declared dead before it had its lock: registering anew", self.id());
                    return Optional.empty();
                }
            } catch (BigtableException unknown) {
                log.warn("{}: {}", self.id(), unknown.getMessage());
            }
            ports.scheduler().pause(RETRY_MILLIS);
        }
    }
}
